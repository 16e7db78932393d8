package dev.lacuna.bridge;

import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.MemoryEvents;
import java.util.List;

/**
 * What a reader saw of a process at one moment. Immutable.
 *
 * @param timeMs wall clock, milliseconds since the epoch
 * @param monotonicNs the same moment on CLOCK_MONOTONIC, comparable with the events' times
 * @param pid process id
 * @param state how the process is doing
 * @param devices counters, one per device
 * @param events events since the previous sample
 * @param lostEvents events that were overwritten before this reader could read them, since it attached
 */
public record Sample(
        long timeMs,
        long monotonicNs,
        long pid,
        ProcessState state,
        List<MemoryCounters> devices,
        MemoryEvents events,
        long lostEvents) {

    public Sample {
        devices = List.copyOf(devices);
    }
}
