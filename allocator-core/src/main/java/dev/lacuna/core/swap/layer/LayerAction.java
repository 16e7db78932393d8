package dev.lacuna.core.swap.layer;

/** What happens to what a layer keeps for its backward pass. */
public enum LayerAction {
    /** It stays on the device. */
    KEEP,
    /** It goes to the host and comes back. */
    SWAP,
    /** Only the input stays; the rest is computed again. */
    RECOMPUTE
}
