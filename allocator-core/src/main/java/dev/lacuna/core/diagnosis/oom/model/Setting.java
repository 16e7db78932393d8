package dev.lacuna.core.diagnosis.oom.model;

/** What a log shows to be on already (advice to turn it on does not count). */
public enum Setting {
    EXPANDABLE_SEGMENTS,
    MAX_SPLIT_SIZE,
    GC_THRESHOLD,
    /** Lacuna's optimisation, or MindSpeed's memory fragmentation switch. */
    OPTIMISATION,
    /** MindSpeed's adaptive memory optimisation, which excludes its memory fragmentation switch. */
    ADAPTIVE_MEMORY,
    /** Activations are recomputed. */
    RECOMPUTE,
    /** Activations are swapped to the host. */
    SWAP,
    /** Weights and activations in half precision. */
    MIXED_PRECISION,
    /** Optimizer states, gradients or weights are spread over the ranks. */
    SHARDING,
    /** A trainer that never evaluates. */
    NO_EVALUATION,
    /** Smaller buffers of HCCL. */
    COLLECTIVE_BUFFERS,
    /** MPS without its upper limit. */
    MPS_WATERMARK,
    /** The same inside the program, which reads it when the device is first used. */
    MPS_WATERMARK_INSIDE,
    /** XLA without preallocation. */
    XLA_NO_PREALLOCATION,
    /** XLA with another share of the device than its own three quarters. */
    XLA_FRACTION,
    /** TensorFlow on CUDA's asynchronous allocator. */
    TF_ASYNC,
    /** Paddle's pool grows as needed. */
    PADDLE_GROWTH
}
