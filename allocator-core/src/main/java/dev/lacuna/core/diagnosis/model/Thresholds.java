package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.base.SizeUnit;

/**
 * What counts as much, in bytes.
 *
 * @param gapBytes the field's rule: reserved − allocated above this is called fragmentation
 * @param othersBytes what lies outside a pool anyway (context, libraries); only what exceeds it could have been avoided
 */
public record Thresholds(long gapBytes, long othersBytes) {
    /** 1 GiB each: the rule of MindSpeed's documentation, and the contract's share for others. */
    public static final Thresholds DEFAULT = new Thresholds(SizeUnit.GIB.bytes(), SizeUnit.GIB.bytes());

    public Thresholds {
        if (gapBytes < 0 || othersBytes < 0) {
            throw new IllegalArgumentException("thresholds must not be negative");
        }
    }

    /** The same with another threshold for the field's rule. */
    public Thresholds withGapBytes(long bytes) {
        return new Thresholds(bytes, othersBytes);
    }
}
