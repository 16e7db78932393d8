/** What Ascend's runtime prints itself. */
package dev.lacuna.core.diagnosis.oom.grammar.ascend;
