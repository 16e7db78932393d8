/** TensorFlow's messages. */
package dev.lacuna.core.diagnosis.oom.grammar.tensorflow;
