package dev.lacuna.bridge.hosted;

/** Where the bytes of an entry are; the ordinal is C's. */
public enum SwapPlace {
    ON_DEVICE,
    /** The block must stay. */
    COPYING_OUT,
    ON_HOST,
    /** The block must stay, and is not to be read. */
    COPYING_IN
}
