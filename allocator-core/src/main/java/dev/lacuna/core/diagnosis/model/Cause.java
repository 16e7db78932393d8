package dev.lacuna.core.diagnosis.model;

import java.util.Arrays;
import java.util.Optional;

/** Why memory ran out, in the order in which the causes are tested: the first that holds is the verdict. */
public enum Cause {
    /** More was asked for than the device has. */
    OVERSIZED_REQUEST("oversized-request"),
    /** A cap on the pool was hit while the device had room. */
    LIMIT("limit"),
    /** It would have fitted into what is free and what the pool keeps in pieces. */
    FRAGMENTATION("fragmentation"),
    /** A collective or the driver found no room while the pool kept cache. */
    POOL_CROWDS_OUT("pool-crowds-out"),
    /** It would have fitted if others held no more than their usual share. */
    OUTSIDE_THE_POOL("outside-the-pool"),
    /** Nothing of the above: there is not enough memory for this work. */
    CAPACITY("capacity"),
    /** The message does not give the numbers that a verdict needs. */
    UNKNOWN("unknown");

    private final String id;

    Cause(String id) {
        this.id = id;
    }

    /** The contract's word. */
    public String id() {
        return id;
    }

    /** The cause with this word. */
    public static Optional<Cause> ofId(String id) {
        return Arrays.stream(values()).filter(c -> c.id.equals(id)).findFirst();
    }
}
