package dev.lacuna.core.allocator.packing;

/** Names a state of the search by a number: its floors and open blocks, and what the swap rule looks at (Zobrist hashing). */
final class StateHash {
    private final Skyline skyline;
    private final StartBounds bounds;

    /** By block: its key. */
    private final long[] keys;

    StateHash(Stretch stretch, Skyline skyline, StartBounds bounds) {
        this.skyline = skyline;
        this.bounds = bounds;
        keys = keys(stretch);
    }

    /** The state in which these blocks are open in columns [left, right). Never 0. */
    long of(int[] blocks, int base, int count, int left, int right) {
        long floors = 0;
        for (int c = left; c < right; c++) {
            floors += bounds.settled(c) ? 0 : scramble(skyline.floor[c] * 1_000_003L + c);
        }
        long open = 0;
        for (int i = base; i < base + count; i++) {
            int k = blocks[i];
            open ^= keys[k];
            int below = skyline.sizeOfSameLifetimeBelow(k, bounds.start[k]);
            if (below != Skyline.NOTHING) {
                open ^= scramble(keys[k] + below);
            }
        }
        long state = scramble(floors ^ open);
        return state == 0 ? 1 : state;
    }

    /** Twins are told apart only by how many of them there are: any one of them open is the same state. */
    private static long[] keys(Stretch stretch) {
        int[] from = stretch.from();
        int[] until = stretch.until();
        int[] size = stretch.size();
        long[] keys = new long[size.length];
        for (int k = 0; k < size.length; k++) {
            int copy = 0;
            for (int j = 0; j < k; j++) {
                copy += from[j] == from[k] && until[j] == until[k] && size[j] == size[k] ? 1 : 0;
            }
            long kind = scramble(scramble(((long) from[k] << 32) + until[k]) + size[k]);
            keys[k] = scramble(kind + copy);
        }
        return keys;
    }

    /** SplitMix64's finaliser (Steele, Lea, Flood 2014). */
    private static long scramble(long z) {
        long a = (z + 0x9e3779b97f4a7c15L ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ a >>> 27) * 0x94d049bb133111ebL;
        return b ^ b >>> 31;
    }
}
