package dev.lacuna.core.diagnosis.oom.model;

/** What a message says in words, whatever its numbers. */
public enum Claim {
    /** A cap was hit, not the device's end. */
    LIMIT,
    /** The request was larger than anything could hold. */
    OVERSIZED,
    /** The failing allocation was a library's own (collective, BLAS, driver), not the pool's. */
    OUTSIDE_ALLOCATION,
    /** It was the host's memory that ran out, not the device's. */
    HOST_MEMORY,
    /** The framework had a second plan and went on: a warning. */
    NOT_A_FAILURE
}
