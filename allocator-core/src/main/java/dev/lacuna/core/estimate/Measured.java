package dev.lacuna.core.estimate;

import dev.lacuna.core.base.counters.MemoryCounters;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a rank of a running process took at its worst, in bytes.
 *
 * @param allocatedBytes peak of what was handed to the trainer
 * @param reservedBytes peak of what was taken from the device
 * @param outsideBytes in use on the device, not taken by the allocator: contexts, collectives, other processes
 */
public record Measured(long allocatedBytes, long reservedBytes, long outsideBytes) {
    public Measured {
        if (allocatedBytes < 0 || reservedBytes < 0 || outsideBytes < 0) {
            throw new IllegalArgumentException("bytes start at 0");
        }
    }

    /** A device of a process at its worst so far. */
    public static Measured of(MemoryCounters device) {
        return new Measured(device.peakAllocatedBytes(), device.peakReservedBytes(), device.outsideBytes());
    }

    /** The device of a process that estimates are held against: the one that holds most. */
    public static Optional<MemoryCounters> device(List<MemoryCounters> devices) {
        return devices.stream().max(Comparator.comparingLong(MemoryCounters::reservedBytes));
    }
}
