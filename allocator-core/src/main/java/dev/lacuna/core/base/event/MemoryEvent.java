package dev.lacuna.core.base.event;

import dev.lacuna.core.base.counters.PoolName;
import java.util.Optional;

/**
 * One event of one device's allocator.
 *
 * @param sequence its number since the agent started, counted from 0; gaps in the numbers are lost events
 * @param timeNs CLOCK_MONOTONIC nanoseconds
 * @param kind what happened
 * @param device index of the device
 * @param pool the pool concerned, where one is
 * @param address virtual address, 0 where none applies
 * @param size what {@link EventKind} says it means for this kind
 * @param stream the stream, 0 on hosts
 */
public record MemoryEvent(
        long sequence,
        long timeNs,
        EventKind kind,
        int device,
        Optional<PoolName> pool,
        long address,
        long size,
        int stream) {}
