package dev.lacuna.core.allocator.lifetime;

/**
 * What was learned about each key (rounded size, place in the step): a score −3 … 3 in a direct-mapped table. A long outcome
 * takes an entry over from another key, a short one does not: short is what is assumed anyway.
 */
final class LifetimeScores {
    private static final int ENTRY_BITS = 14;
    private static final int HIGHEST = 3;

    /** Keys start at 64 (one unit, place 0), so 0 marks an entry that was never used. */
    private final long[] keys = new long[1 << ENTRY_BITS];

    private final byte[] scores = new byte[1 << ENTRY_BITS];

    Lifetime predict(long key) {
        int entry = entry(key);
        return keys[entry] == key && scores[entry] >= 1 ? Lifetime.LONG : Lifetime.SHORT;
    }

    void sawLong(long key) {
        int entry = entry(key);
        if (keys[entry] == key) {
            scores[entry] = (byte) Math.min(HIGHEST, scores[entry] + 1);
        } else {
            keys[entry] = key;
            scores[entry] = 1;
        }
    }

    void sawShort(long key) {
        int entry = entry(key);
        if (keys[entry] == key) {
            scores[entry] = (byte) Math.max(-HIGHEST, scores[entry] - 1);
        } else if (keys[entry] == 0) {
            keys[entry] = key;
            scores[entry] = -1;
        }
    }

    private static int entry(long key) {
        return LifetimeClassifier.hash(key, ENTRY_BITS);
    }
}
