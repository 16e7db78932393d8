/**
 * MindSpeed's memory_fragmentation: pools for long- and short-lived tensors, and the two recorders that remember
 * what survived the last forward pass and the last step.
 */
package dev.lacuna.core.allocator.mindspeed;
