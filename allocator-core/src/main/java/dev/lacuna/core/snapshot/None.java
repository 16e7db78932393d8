package dev.lacuna.core.snapshot;

/** Python's {@code None}. */
enum None {
    NONE
}
