/** Libraries beside the frameworks, each with an allocator of its own on a device. */
package dev.lacuna.core.diagnosis.oom.grammar.library;
