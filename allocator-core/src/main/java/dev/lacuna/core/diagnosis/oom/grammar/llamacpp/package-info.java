/** llama.cpp's messages. */
package dev.lacuna.core.diagnosis.oom.grammar.llamacpp;
