package dev.lacuna.core.allocator.packing;

import java.util.Arrays;

/**
 * Blocks known in advance, in columns: block i needs {@code size(i)} bytes during the half-open interval
 * [{@code lower(i)}, {@code upper(i)}). What a time is (a row of a trace, a step of a schedule) is up to the caller. Immutable.
 */
public final class Lifetimes {
    private final long[] lower;
    private final long[] upper;
    private final long[] size;

    private Lifetimes(Builder from) {
        lower = Arrays.copyOf(from.lower, from.count);
        upper = Arrays.copyOf(from.upper, from.count);
        size = Arrays.copyOf(from.size, from.count);
    }

    /** Blocks to be collected. */
    public static Builder builder() {
        return new Builder();
    }

    /** Number of blocks. */
    public int count() {
        return size.length;
    }

    /** The first moment at which block i lives. */
    public long lower(int i) {
        return lower[i];
    }

    /** The first moment at which block i lives no more, ≥ {@link #lower}. */
    public long upper(int i) {
        return upper[i];
    }

    /** Bytes of block i, ≥ 0. */
    public long size(int i) {
        return size[i];
    }

    /** Whether block i needs any room at all: it has a size and lives for a moment. */
    public boolean needsRoom(int i) {
        return size[i] > 0 && lower[i] < upper[i];
    }

    /** Collects blocks in order. */
    public static final class Builder {
        private long[] lower = new long[64];
        private long[] upper = new long[64];
        private long[] size = new long[64];
        private int count;

        private Builder() {}

        /**
         * The next block.
         *
         * @param from first moment of its life
         * @param until first moment after it, ≥ {@code from}
         * @param bytes ≥ 0
         */
        public Builder add(long from, long until, long bytes) {
            if (until < from || bytes < 0) {
                throw new IllegalArgumentException(
                        "a block needs lower ≤ upper and size ≥ 0: [" + from + ", " + until + ") " + bytes);
            }
            if (count == size.length) {
                int length = count * 2;
                lower = Arrays.copyOf(lower, length);
                upper = Arrays.copyOf(upper, length);
                size = Arrays.copyOf(size, length);
            }
            lower[count] = from;
            upper[count] = until;
            size[count++] = bytes;
            return this;
        }

        /** Block i, which was added as living on, ends here. */
        public Builder end(int i, long until) {
            if (until < lower[i]) {
                throw new IllegalArgumentException("block " + i + " cannot end before it begins: " + until);
            }
            upper[i] = until;
            return this;
        }

        /** The blocks so far. */
        public Lifetimes build() {
            return new Lifetimes(this);
        }
    }
}
