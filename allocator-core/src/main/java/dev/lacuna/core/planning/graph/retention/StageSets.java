package dev.lacuna.core.planning.graph.retention;

/** A set of stages for each node, as bits by node, then stage: the nearest stage of a set is a few shifts away. */
final class StageSets {
    private final int size;
    private final int words;
    private final long[] bits;

    /** @param size how many nodes, and how many stages */
    StageSets(int size) {
        this.size = size;
        words = (size + 63) >> 6;
        bits = new long[size * words];
    }

    boolean get(int node, int stage) {
        return (bits[node * words + (stage >> 6)] >>> stage & 1) != 0;
    }

    void set(int node, int stage) {
        bits[node * words + (stage >> 6)] |= 1L << stage;
    }

    void clear(int node, int stage) {
        bits[node * words + (stage >> 6)] &= ~(1L << stage);
    }

    /** The node's first stage not before {@code from}; the number of stages when there is none. */
    int next(int node, int from) {
        if (from >= size) {
            return size;
        }
        int word = from >> 6;
        long rest = bits[node * words + word] & -1L << from;
        while (rest == 0) {
            word++;
            if (word == words) {
                return size;
            }
            rest = bits[node * words + word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(rest);
    }

    /** The node's last stage not after {@code from}; -1 when there is none. */
    int previous(int node, int from) {
        if (from < 0) {
            return -1;
        }
        int word = from >> 6;
        long rest = bits[node * words + word] & -1L >>> 63 - (from & 63);
        while (rest == 0) {
            word--;
            if (word < 0) {
                return -1;
            }
            rest = bits[node * words + word];
        }
        return (word << 6) + 63 - Long.numberOfLeadingZeros(rest);
    }
}
