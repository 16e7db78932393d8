package dev.lacuna.core.base.counters;

import java.util.Arrays;
import java.util.Optional;

/** By whose rules a live allocator keeps lifetimes apart while its optimisation is on; the ordinal is the wire code. */
public enum PoolPolicy {
    /** Lacuna's own pools. */
    SEGREGATED("segregated"),
    /** MindSpeed's two-lifetime pools. */
    LIFETIME("lifetime");

    private final String label;

    PoolPolicy(String label) {
        this.label = label;
    }

    /** The word of the control protocol and the command line, which is the policy's name in replays too. */
    public String label() {
        return label;
    }

    /** The policy of this word, or empty. */
    public static Optional<PoolPolicy> ofLabel(String word) {
        return Arrays.stream(values())
                .filter(policy -> policy.label.equals(word))
                .findFirst();
    }
}
