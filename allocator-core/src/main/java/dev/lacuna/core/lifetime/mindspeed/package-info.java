/**
 * How MindSpeed's memory_fragmentation tells long-lived tensors from short-lived ones: two recorders that remember what
 * survived the last forward pass and the last step. Knows nothing of pools.
 */
package dev.lacuna.core.lifetime.mindspeed;
