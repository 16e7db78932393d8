package dev.lacuna.core.estimate;

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
}
