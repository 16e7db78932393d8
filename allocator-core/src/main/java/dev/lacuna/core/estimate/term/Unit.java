package dev.lacuna.core.estimate.term;

/** What a term counts. */
public enum Unit {
    /** Bytes of memory. */
    BYTES,
    /** Parameters. */
    PARAMETERS,
    /** Floating-point operations. */
    FLOPS,
    /** Micro-batches; a fraction where a stage holds several chunks of which each keeps its own number. */
    MICRO_BATCHES
}
