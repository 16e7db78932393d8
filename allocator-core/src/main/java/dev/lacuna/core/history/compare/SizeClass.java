package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.attribution.SizeHistogram;

/**
 * Sizes that are counted together.
 *
 * @param fromBytes the smallest, a power of two (0 for the first class)
 * @param toBytes the first that is too large
 */
public record SizeClass(long fromBytes, long toBytes) {
    static SizeClass of(int number) {
        return new SizeClass(SizeHistogram.fromBytes(number), 1L << (number + 1));
    }
}
