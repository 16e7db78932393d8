/** Failures of CUDA, cuBLAS and cuDNN calls for want of memory. */
package dev.lacuna.core.diagnosis.oom.grammar.cuda;
