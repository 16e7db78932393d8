package dev.lacuna.core.allocator.segregated;

import dev.lacuna.core.allocator.model.Device;

/** Arithmetic of offsets and the 2 MiB slots that they fall into. */
final class Slots {
    private static final int SHIFT = Long.numberOfTrailingZeros(Device.SLOT_BYTES);

    private Slots() {}

    /** The slot in which this offset lies. */
    static int at(long offset) {
        return (int) (offset >> SHIFT);
    }

    /** The first slot that begins at this offset or above it. */
    static int from(long offset) {
        return (int) ((offset + Device.SLOT_BYTES - 1) >> SHIFT);
    }

    /** How many whole slots lie in a stretch of addresses. */
    static int whole(long offset, long end) {
        return Math.max(0, at(end) - from(offset));
    }

    /** Where a slot begins. */
    static long offset(int slot) {
        return (long) slot << SHIFT;
    }

    /** Whether a slot begins at this offset. */
    static boolean aligned(long offset) {
        return (offset & (Device.SLOT_BYTES - 1)) == 0;
    }
}
