package dev.lacuna.core.diagnosis.oom.model;

/** What a message says in words, whatever its numbers. */
public enum Claim {
    /** A cap was hit, not the device's end. */
    LIMIT,
    /** What is given as tried is all that a compiled program needs, not one request. */
    WHOLE_PROGRAM,
    /** The allocator keeps nothing back for itself: what it prints as free is all that is. */
    NO_CACHE,
    /** The allocator itself says that its free memory lies in pieces. */
    FRAGMENTED,
    /** Others held the device before this process took anything. */
    HELD_BY_OTHERS,
    /** The request was larger than anything could hold. */
    OVERSIZED,
    /** The failing allocation was a library's own (collective, BLAS, driver), not the pool's. */
    OUTSIDE_ALLOCATION,
    /** It was the host's memory that ran out, not the device's. */
    HOST_MEMORY,
    /** All that there was is in use: the kernel had to choose whom to end. */
    EXHAUSTED,
    /** A process was ended by signal 9, and nobody says why: mostly it is the kernel, for want of memory. */
    KILLED,
    /** A process that loads data was killed. */
    LOADER,
    /** The shared memory through which processes hand over samples was full. */
    SHARED_MEMORY,
    /** A process had as many mappings of memory as the kernel allows one. */
    MAPPINGS,
    /** Windows could not commit memory: its paging file is too small. */
    PAGING_FILE,
    /** The host's memory was to be pinned for transfers. */
    PINNED,
    /** A container's limit, in Kubernetes or another control group. */
    CONTAINER,
    /** What Slurm granted the job was used up. */
    SLURM,
    /** Another batch system's limit: PBS, LSF. */
    BATCH_SYSTEM,
    /** Ray's memory monitor or object store. */
    RAY,
    /** A collective library (HCCL, NCCL, RCCL) asked. */
    COLLECTIVE,
    /** A server that asks for a larger share of the device, not for a smaller one. */
    SHARE_TOO_SMALL,
    /** Only tables of counters are printed, no exception. */
    TABLE,
    /** The framework had a second plan and went on: a warning. */
    NOT_A_FAILURE
}
