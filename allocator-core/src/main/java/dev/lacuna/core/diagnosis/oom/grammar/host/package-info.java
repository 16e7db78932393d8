/** The host's memory: who asked in vain, what was killed and by whom, data loaders and shared memory. */
package dev.lacuna.core.diagnosis.oom.grammar.host;
