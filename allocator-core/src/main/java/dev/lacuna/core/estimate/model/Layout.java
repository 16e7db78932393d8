package dev.lacuna.core.estimate.model;

/**
 * How a model is spread over devices.
 *
 * @param tensor tensor parallelism t
 * @param pipeline pipeline stages p
 * @param virtual model chunks per stage v (interleaved schedule), 1 for 1F1B
 * @param group micro-batches that run through a model chunk in a row (interleaved schedule), at least p; p unless told
 * @param context context parallelism
 * @param expert expert parallelism
 * @param expertTensor tensor parallelism inside experts
 * @param data data parallelism
 * @param sequenceParallel whether norms and dropouts are split along the sequence by t
 * @param zero 0: nothing is sharded over data parallelism, 1: optimizer states, 2: gradients too, 3: weights too
 * @param keepsWhole with ZeRO 3 under a pipeline: weights stay whole, and gradients add up whole, between micro-batches
 */
public record Layout(
        int tensor,
        int pipeline,
        int virtual,
        int group,
        int context,
        int expert,
        int expertTensor,
        int data,
        boolean sequenceParallel,
        int zero,
        boolean keepsWhole) {
    /** Devices. */
    public int world() {
        return tensor * pipeline * context * data;
    }

    /** Ranks that hold the same dense weights. */
    public int denseReplicas() {
        return data * context;
    }

    /** Ranks that hold the same expert weights. */
    public double expertReplicas() {
        return Math.max(1.0, (double) world() / (expert * expertTensor * pipeline));
    }
}
