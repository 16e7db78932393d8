package dev.lacuna.core.allocator.model;

/**
 * The highest values since the allocator was made, in bytes.
 *
 * @param requestedBytes bytes that the trainer asked for and held
 * @param allocatedBytes bytes in live blocks
 * @param reservedBytes bytes taken from the device
 * @param pieces pieces of device memory held: segments, or mapped chunks under the segregated policy
 */
public record Peaks(long requestedBytes, long allocatedBytes, long reservedBytes, long pieces) {}
