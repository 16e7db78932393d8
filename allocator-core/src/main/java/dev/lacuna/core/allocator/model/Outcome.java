package dev.lacuna.core.allocator.model;

/** How a request for memory ended. */
public enum Outcome {
    /** A block was handed out. */
    PLACED,
    /** Zero bytes were asked for: no block, nothing changed. */
    EMPTY,
    /** Neither releasing cached memory nor falling back on another pool helped. */
    OUT_OF_MEMORY
}
