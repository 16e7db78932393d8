package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Device;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The device that a trace is replayed on, where it differs from the recorded one.
 *
 * @param capacityBytes capacity; empty: the trace's own, else 64 GiB
 * @param fraction cap as a share of the capacity, 0 &lt; f ≤ 1; empty: what the trace says as it goes, else 1
 * @param scale every request is multiplied by this before it is rounded, ≥ 1
 */
public record ReplaySettings(OptionalLong capacityBytes, OptionalDouble fraction, long scale) {
    /** The device and sizes that were recorded. */
    public static final ReplaySettings RECORDED = new ReplaySettings(OptionalLong.empty(), OptionalDouble.empty(), 1);

    public ReplaySettings {
        if (scale < 1) {
            throw new IllegalArgumentException("scale must be at least 1: " + scale);
        }
        if (capacityBytes.isPresent() && capacityBytes.getAsLong() <= 0) {
            throw new IllegalArgumentException("capacity must be positive: " + capacityBytes.getAsLong());
        }
        if (fraction.isPresent() && !(fraction.getAsDouble() > 0 && fraction.getAsDouble() <= 1)) {
            throw new IllegalArgumentException("fraction must satisfy 0 < f ≤ 1: " + fraction.getAsDouble());
        }
    }

    /** The same on a device of this capacity in bytes. */
    public ReplaySettings capacity(long bytes) {
        return new ReplaySettings(OptionalLong.of(bytes), fraction, scale);
    }

    /** The same with requests this many times as large. */
    public ReplaySettings scaledBy(long factor) {
        return new ReplaySettings(capacityBytes, fraction, factor);
    }

    /** The same without the caps that the trace sets as it goes: of those a fraction that is given is left alone. */
    public ReplaySettings withoutRecordedCap() {
        return fraction.isPresent() ? this : new ReplaySettings(capacityBytes, OptionalDouble.of(1), scale);
    }

    /** A request as it is replayed. Sizes beyond any device fail as out of memory; they must not wrap around into small ones. */
    long scaled(long bytes) {
        long product = bytes * scale;
        return Math.multiplyHigh(bytes, scale) == 0 && product >= 0 ? product : Long.MAX_VALUE;
    }

    /** The capacity in bytes for a trace that says this of its own device. */
    long capacityFor(OptionalLong recordedBytes) {
        return capacityBytes.orElse(recordedBytes.orElse(Device.DEFAULT_CAPACITY_BYTES));
    }

    /** What of that capacity may be reserved, in bytes, as long as the trace itself sets no cap. */
    long limitFor(OptionalLong recordedBytes) {
        long capacity = capacityFor(recordedBytes);
        return fraction.isPresent() ? (long) (capacity * fraction.getAsDouble()) : capacity;
    }
}
