package dev.lacuna.core.planning.swap.conflict;

/** What Lacuna may be asked to do in the process. */
public enum LacunaFeature {
    /** Segregated pools in place of the framework's allocator. */
    POOLS,
    /** Swapping and rescue of what autograd saved. */
    SWAP,
    /** A policy by layer: keep, swap, recompute. */
    LAYER_POLICY
}
