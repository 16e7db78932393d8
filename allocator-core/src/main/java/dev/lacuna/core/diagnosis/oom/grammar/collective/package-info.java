/** Collectives that found no memory: HCCL, NCCL, RCCL. */
package dev.lacuna.core.diagnosis.oom.grammar.collective;
