/**
 * MindSpeed's adaptive memory optimisation, decision for decision: which tensors swap without loss, which combinations
 * of swapping and recomputation a layer may take, the knapsack over the layers of a pipeline stage, and the bisection on
 * the memory budget. Source: MindSpeed 2.0.0_core_r0.8.0, {@code mindspeed/core/memory/adaptive_memory}.
 */
package dev.lacuna.core.planning.swap.mindspeed;
