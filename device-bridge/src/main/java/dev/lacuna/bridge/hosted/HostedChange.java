package dev.lacuna.bridge.hosted;

import dev.lacuna.core.base.counters.MemoryCounters;

/**
 * What a change of settings did.
 *
 * @param applied false when the guard refused it and nothing was changed
 * @param before counters before
 * @param after counters after
 * @param unreachedBytes reserved above the new cap that live blocks hold
 * @param lowestSafeFraction the lowest fraction that the guard accepts
 */
public record HostedChange(
        boolean applied, MemoryCounters before, MemoryCounters after, long unreachedBytes, double lowestSafeFraction) {}
