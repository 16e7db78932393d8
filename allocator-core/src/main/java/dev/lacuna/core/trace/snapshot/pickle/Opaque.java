package dev.lacuna.core.trace.snapshot.pickle;

/** A byte string in a pickle: no snapshot holds one, so it is passed over and only remembered to have been there. */
enum Opaque {
    BYTES
}
