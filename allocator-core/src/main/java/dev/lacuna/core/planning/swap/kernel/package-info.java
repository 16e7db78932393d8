/**
 * Moving tensors between device, host and disk behind a training step whose kernels are known: a simulator that keeps
 * every promise of the hardware, Lacuna's planner, and the published policies beside it.
 */
package dev.lacuna.core.planning.swap.kernel;
