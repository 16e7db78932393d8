package dev.lacuna.core.allocator.lifetime;

/**
 * How many requests of each rounded size a step has made so far, in a direct-mapped table: sizes that share an entry
 * displace each other, which costs accuracy and never correctness.
 */
final class RequestCounts {
    private static final int ENTRY_BITS = 12;

    private final long[] sizes = new long[1 << ENTRY_BITS];
    private final int[] counts = new int[1 << ENTRY_BITS];
    private final int[] epochs = new int[1 << ENTRY_BITS];
    private int epoch;

    /** A step begins: every size starts at 0. */
    void restart() {
        epoch++;
    }

    /** How many requests of this size came before in the step, at most {@code most}; counts this one. */
    int next(long rounded, int most) {
        int entry = LifetimeClassifier.hash(rounded / LifetimeClassifier.UNIT_BYTES, ENTRY_BITS);
        if (sizes[entry] != rounded || epochs[entry] != epoch) {
            sizes[entry] = rounded;
            epochs[entry] = epoch;
            counts[entry] = 0;
        }
        return Math.min(most, counts[entry]++);
    }
}
