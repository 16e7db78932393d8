package dev.lacuna.core.pool;

import java.util.Arrays;

/**
 * The virtual addresses of one pool, as a row of slots that are mapped (hold memory) or not. Only as much of the row is
 * stored as was ever mapped.
 *
 * <p>Invariants: mappedSlots = number of mapped slots; runs = number of maximal runs of adjacent mapped slots.
 */
final class VirtualRange {
    private final long bytes;
    private final int slots;
    private long[] words = new long[16];
    private int mappedSlots;
    private int runs;

    VirtualRange(long bytes) {
        this.bytes = bytes;
        this.slots = Math.toIntExact(bytes / Device.SLOT_BYTES);
    }

    /** Length of the range in bytes. */
    long bytes() {
        return bytes;
    }

    int mappedSlots() {
        return mappedSlots;
    }

    long mappedBytes() {
        return mappedSlots * Device.SLOT_BYTES;
    }

    /** Maximal runs of adjacent mapped slots. */
    int runs() {
        return runs;
    }

    boolean isMapped(int slot) {
        int word = slot >> 6;
        return word < words.length && (words[word] >>> slot & 1) != 0;
    }

    void map(int slot) {
        int word = slot >> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
        }
        runs += 1 - mappedNeighbours(slot);
        words[word] |= 1L << slot;
        mappedSlots++;
    }

    void unmap(int slot) {
        words[slot >> 6] &= ~(1L << slot);
        runs -= 1 - mappedNeighbours(slot);
        mappedSlots--;
    }

    /** Number of slots from {@code from} to before {@code to} that are not mapped. */
    int unmappedIn(int from, int to) {
        int end = (int) Math.min(to, (long) words.length << 6);
        if (from >= end) {
            return to - from;
        }
        int first = from >> 6;
        int last = (end - 1) >> 6;
        long firstMask = -1L << from;
        long lastMask = -1L >>> (63 - (end - 1 & 63));
        if (first == last) {
            return to - from - Long.bitCount(words[first] & firstMask & lastMask);
        }
        int mapped = Long.bitCount(words[first] & firstMask) + Long.bitCount(words[last] & lastMask);
        for (int w = first + 1; w < last; w++) {
            mapped += Long.bitCount(words[w]);
        }
        return to - from - mapped;
    }

    /** First slot of the lowest run of at least this many unmapped slots, −1 when there is none. */
    int lowestUnmappedRun(int length) {
        int from = next(0, false);
        while (from <= slots - length) {
            int to = next(from, true);
            if (to - from >= length) {
                return from;
            }
            from = next(to, false);
        }
        return -1;
    }

    private int mappedNeighbours(int slot) {
        return (slot > 0 && isMapped(slot - 1) ? 1 : 0) + (isMapped(slot + 1) ? 1 : 0);
    }

    /** The lowest slot ≥ from that is mapped (or not), the end of the range when there is none. */
    private int next(int from, boolean mapped) {
        for (int w = from >> 6; w < words.length; w++) {
            long bits = mapped ? words[w] : ~words[w];
            if (w == from >> 6) {
                bits &= -1L << from;
            }
            if (bits != 0) {
                return Math.min(slots, (w << 6) + Long.numberOfTrailingZeros(bits));
            }
        }
        return mapped ? slots : Math.min(slots, Math.max(from, words.length << 6));
    }
}
