package dev.lacuna.core.base.counters;

/**
 * What a process measured of what a change of rules takes; 0 where it never did.
 *
 * @param releaseLowNs of giving a chunk back, the lower quartile of the last times
 * @param releaseHighNs the upper one, or the mean where that is higher
 * @param finishNs of waiting for all of the device's streams
 * @param moveNs what compaction took for a MiB that it moved
 */
public record SwitchPrices(long releaseLowNs, long releaseHighNs, long finishNs, long moveNs) {
    public static final SwitchPrices UNKNOWN = new SwitchPrices(0, 0, 0, 0);
}
