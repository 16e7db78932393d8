package dev.lacuna.core.trace.snapshot.pickle;

/** Python's {@code None}. */
public enum None {
    NONE
}
