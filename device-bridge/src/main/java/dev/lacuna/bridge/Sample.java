package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
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
 * @param unknownEvents events of kinds that this program does not know (a newer agent), left out since it attached
 * @param torn the agent died or stands still in the middle of a write: the counters may mix two moments
 */
public record Sample(
        long timeMs,
        long monotonicNs,
        long pid,
        ProcessState state,
        List<MemoryCounters> devices,
        MemoryEvents events,
        long lostEvents,
        long unknownEvents,
        boolean torn) {

    public Sample {
        devices = List.copyOf(devices);
    }

    /** A consistent sample without events of unknown kinds. */
    public Sample(
            long timeMs,
            long monotonicNs,
            long pid,
            ProcessState state,
            List<MemoryCounters> devices,
            MemoryEvents events,
            long lostEvents) {
        this(timeMs, monotonicNs, pid, state, devices, events, lostEvents, 0, false);
    }
}
