/** ONNX Runtime's messages. */
package dev.lacuna.core.diagnosis.oom.grammar.onnxruntime;
