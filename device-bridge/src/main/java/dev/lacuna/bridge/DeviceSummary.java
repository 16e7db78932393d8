package dev.lacuna.bridge;

import dev.lacuna.core.memory.Backend;

/**
 * One device of a training process.
 *
 * @param index index in the agent's table
 * @param backend what the memory lies on
 * @param totalBytes capacity
 */
public record DeviceSummary(int index, Backend backend, long totalBytes) {}
