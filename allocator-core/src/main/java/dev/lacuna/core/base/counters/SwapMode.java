package dev.lacuna.core.base.counters;

import java.util.Arrays;
import java.util.Optional;

/** What may leave a device for host memory; the ordinal is the wire code. */
public enum SwapMode {
    /** Nothing leaves; what is on the host comes back when it is wanted. */
    OFF("off"),
    /** As much as memory needs. */
    ON("on"),
    /** Every saved tensor that can, as soon as its layer is over. */
    ALL("all");

    private final String label;

    SwapMode(String label) {
        this.label = label;
    }

    /** The word of the control protocol and the command line. */
    public String label() {
        return label;
    }

    /** The mode of this word, or empty. */
    public static Optional<SwapMode> ofLabel(String word) {
        return Arrays.stream(values()).filter(mode -> mode.label.equals(word)).findFirst();
    }
}
