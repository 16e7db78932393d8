/** MindSpore's messages. */
package dev.lacuna.core.diagnosis.oom.grammar.mindspore;
