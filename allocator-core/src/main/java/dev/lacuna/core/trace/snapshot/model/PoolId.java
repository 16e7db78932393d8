package dev.lacuna.core.trace.snapshot.model;

/**
 * Which pair of pools a segment belongs to: PyTorch's {@code MempoolId_t}.
 *
 * @param graph number of the CUDA graph that owns it, 0 when none
 * @param user number of the {@code MemPool} that a program made, 0 when none
 */
public record PoolId(long graph, long user) {
    /** The pool that everybody uses. */
    public static final PoolId DEFAULT = new PoolId(0, 0);
}
