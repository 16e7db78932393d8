package dev.lacuna.core.estimate.model;

/**
 * One training step.
 *
 * @param sequence tokens per sample s
 * @param microBatch samples per micro-batch b
 * @param microBatches micro-batches per step and data-parallel rank
 * @param states bytes per parameter
 * @param elementBytes bytes of an element of the activations and of the weights that compute: 2, or 4 where all is 32 bits wide
 * @param attention whether scores are materialised
 * @param recompute what is computed again
 * @param lossBytes bytes per logit that live at once in the loss
 * @param overheadBytes memory that no formula accounts for: libraries' work spaces
 */
public record Training(
        int sequence,
        int microBatch,
        int microBatches,
        StateBytes states,
        double elementBytes,
        AttentionKernel attention,
        Recompute recompute,
        double lossBytes,
        double overheadBytes) {
    /** How attention is computed. */
    public enum AttentionKernel {
        /** Tiled: no score matrix is kept. */
        FLASH,
        /** Scores, probabilities and dropout are kept: 5·a·s²·b bytes. */
        UNFUSED
    }

    /**
     * Bytes per parameter.
     *
     * @param weights of the copy that computes
     * @param gradients of the buffer in which they add up
     * @param optimizer of master weights and moments
     */
    public record StateBytes(double weights, double gradients, double optimizer) {
        /** bf16 weights, fp32 gradients, fp32 master weights and two moments. */
        public static final StateBytes BF16_ADAM = new StateBytes(2, 4, 12);
        /** fp16 weights and gradients, fp32 master weights and gradients, two moments. */
        public static final StateBytes FP16_ADAM = new StateBytes(2, 2, 16);
        /** fp32 throughout. */
        public static final StateBytes FP32_ADAM = new StateBytes(4, 4, 8);
        /** The bf16 master copy with fp32 momentum only. */
        public static final StateBytes BF16_MOMENTUM = new StateBytes(2, 4, 8);
    }

    /** What is computed again in the backward pass. */
    public enum Recompute {
        /** Nothing. */
        NONE,
        /** The attention core between its inputs and its output. */
        SELECTIVE,
        /** Every second matrix product (TorchTitan's "op"): kept are the layer's input, attention's output, products 1, 3, 5 and 7. */
        EVERY_SECOND,
        /** Whole layers: only their inputs are kept. */
        FULL
    }
}
