/** Host memory: what was killed, and what the machine could not give. */
package dev.lacuna.core.diagnosis.oom.grammar.host;
