package dev.lacuna.core.base.counters;

import java.util.Arrays;
import java.util.Optional;

/** What a lowest safe limit was worked out from; the ordinal is the wire code. */
public enum SafeBasis {
    /** Fewer than two whole steps are at hand: the peak that was reserved. */
    PEAK_RESERVED("peak-reserved"),
    /** The last whole steps were replayed through the running policy. */
    REPLAYED("replayed"),
    /** The same, and their differences were allowed for: likely, not certain. */
    VARYING("varying");

    private final String label;

    SafeBasis(String label) {
        this.label = label;
    }

    /** The word of the control protocol. */
    public String label() {
        return label;
    }

    /** The basis of this word, or empty. */
    public static Optional<SafeBasis> ofLabel(String word) {
        return Arrays.stream(values()).filter(basis -> basis.label.equals(word)).findFirst();
    }
}
