package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.SwapMode;

/**
 * What holds of swapping.
 *
 * @param mode what may leave the device
 * @param budgetBytes the most that the host may hold
 */
public record SwapSetting(SwapMode mode, long budgetBytes) {}
