package dev.lacuna.core.estimate;

/** What a term counts. */
public enum Unit {
    /** Bytes of memory. */
    BYTES,
    /** Parameters. */
    PARAMETERS,
    /** Floating-point operations. */
    FLOPS
}
