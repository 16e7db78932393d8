package dev.lacuna.core.allocator.block;

import static dev.lacuna.core.allocator.block.BlockTable.NONE;

/**
 * Where the free blocks of one stream hang, by size: one tree per bin, 16 bins to each power of two, of which each
 * holds one size up to 16 KiB. Sizes grow from bin to bin.
 *
 * <p>Invariants: a bit of {@code used} is set exactly where the root is a block; a bit of {@code usedWords} exactly where
 * the word of {@code used} is not 0.
 */
final class SizeBins {
    /** Enough for any size below 2^63 bytes. */
    static final int BINS = 52 * 16;

    /** What searches answer when there is no such bin; its root always is NONE. */
    private static final int NO_BIN = BINS;

    private static final int MANTISSA_BITS = 4;
    private static final int UNIT_BITS = 9;

    private final int[] roots = new int[BINS + 1];
    private final long[] used = new long[BINS / Long.SIZE];
    private long usedWords;

    /** The bin for blocks of this many bytes. */
    static int binOf(long size) {
        long units = size >>> UNIT_BITS;
        if (units < 1 << MANTISSA_BITS) {
            return (int) units;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - MANTISSA_BITS;
        return (exponent << MANTISSA_BITS) + (int) (units >>> exponent);
    }

    /** Root of a bin's tree; NONE when the bin is empty or there is none such. */
    int root(int bin) {
        return roots[bin];
    }

    /** Sets the root of a bin's tree. */
    void root(int bin, int b) {
        roots[bin] = b;
        int word = bin >> 6;
        if (b != NONE) {
            used[word] |= 1L << bin;
            usedWords |= 1L << word;
        } else {
            used[word] &= ~(1L << bin);
            if (used[word] == 0) {
                usedWords &= ~(1L << word);
            }
        }
    }

    /** The first bin from this one on that holds blocks, or one whose root is NONE. */
    int nextUsed(int bin) {
        if (bin >= BINS) {
            return NO_BIN;
        }
        int word = bin >> 6;
        long bits = used[word] & (-1L << bin);
        if (bits == 0) {
            long words = usedWords & (-2L << word);
            if (words == 0) {
                return NO_BIN;
            }
            word = Long.numberOfTrailingZeros(words);
            bits = used[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** The last bin up to this one that holds blocks, or one whose root is NONE. */
    int previousUsed(int bin) {
        if (bin < 0) {
            return NO_BIN;
        }
        int word = bin >> 6;
        long bits = used[word] & (-1L >>> (63 - (bin & 63)));
        if (bits == 0) {
            long words = usedWords & ((1L << word) - 1);
            if (words == 0) {
                return NO_BIN;
            }
            word = 63 - Long.numberOfLeadingZeros(words);
            bits = used[word];
        }
        return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
    }
}
