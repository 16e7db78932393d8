package dev.lacuna.core.diagnosis.oom.model;

/**
 * What a number in a message means. The first eight are the contract's fields; the others are printed forms from which
 * fields are computed, or further figures that a window can point at.
 */
public enum Quantity {
    /** What was asked for: with PyTorch the segment asked of the driver, not the tensor. */
    TRIED,
    /** Capacity of the device, or the cap that the framework calls its total. */
    TOTAL,
    /** Bytes in blocks handed to the trainer. */
    ALLOCATED,
    /** Allocated plus freed blocks still in use by a stream. */
    ACTIVE,
    /** Bytes that the device still has. */
    FREE,
    /** Bytes that the pool holds of the device, in all. */
    RESERVED,
    /** The cap on reserved. */
    ALLOWED,
    /** Everything that this process uses of the device. */
    PROCESS,

    /** PyTorch 1.0 … 1.3: reserved less allocated. */
    CACHED,
    /** PyTorch 2.1 and later: reserved less allocated (and less what private pools keep free). */
    UNALLOCATED,
    /** PyTorch 2.4 and later: what private pools keep free, printed as if it were allocated. */
    PRIVATE_POOLS,
    /** What one other process uses. */
    OTHER_PROCESS,
    /** MPS: what the process holds of the device outside the pool. */
    OTHER_ALLOCATIONS,
    /** Lacuna: reserved less allocated, as counted at the failure. */
    GAP,
    /** Lacuna: the gap's wholly free part. */
    RELEASABLE,
    /** Lacuna: the gap's fragmented part. */
    SPLIT,
    /** Lacuna: the gap's part that streams still use. */
    PENDING
}
