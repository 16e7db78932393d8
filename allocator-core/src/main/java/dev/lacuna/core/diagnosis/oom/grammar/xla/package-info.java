/** JAX's and XLA's messages. */
package dev.lacuna.core.diagnosis.oom.grammar.xla;
