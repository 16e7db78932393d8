package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.DeviceName;

/**
 * One device of a training process.
 *
 * @param index its number: index in the agent's table
 * @param name what it is called
 * @param totalBytes capacity
 */
public record DeviceSummary(int index, DeviceName name, long totalBytes) {}
