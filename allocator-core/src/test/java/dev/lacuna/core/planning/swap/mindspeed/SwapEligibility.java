package dev.lacuna.core.planning.swap.mindspeed;

/**
 * What decides whether a saved tensor may be swapped at all.
 *
 * @param bytes of the tensor
 * @param computed whether autograd made it; weights and inputs are not
 * @param storageBytes of the storage behind it; 0 when it was given back
 * @param baseDimensions dimensions of the tensor that it is a view of; 0 when it is none
 * @param viewOfWeight whether that tensor is a leaf that wants a gradient
 * @param slice whether its storage holds more than the tensor
 */
public record SwapEligibility(
        long bytes, boolean computed, long storageBytes, int baseDimensions, boolean viewOfWeight, boolean slice) {
    /** Twice its bytes make a MiB. */
    private static final long LEAST_BYTES = 512 << 10;

    private static final int MOST_BASE_DIMENSIONS = 4;

    /** Whether the framework swaps it; only the later main line leaves slices alone. */
    public boolean maySwap(StepSchedule.Release release) {
        return bytes >= LEAST_BYTES
                && computed
                && storageBytes > 0
                && baseDimensions <= MOST_BASE_DIMENSIONS
                && !viewOfWeight
                && !(slice && release == StepSchedule.Release.MAIN);
    }
}
