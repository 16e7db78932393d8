package dev.lacuna.core.planning.swap.adaptive.step;

import java.util.List;

/**
 * A simulated step.
 *
 * @param stepNs its time, nanoseconds
 * @param unhinderedNs its time had nothing been recomputed and nothing waited
 * @param recomputeNs time spent on recomputation
 * @param copyNs time on the link, both directions
 * @param exposedCopyNs time that the device waited for the link
 * @param peakBytes most bytes allocated at once
 * @param fits whether each layer found room; otherwise times are those of a device without a limit
 * @param copies what moved, the way out first, each way in the order in which it happened
 * @param memory bytes allocated from each moment on, in order of time; the first moment is the step's begin
 */
public record StepRun(
        long stepNs,
        long unhinderedNs,
        long recomputeNs,
        long copyNs,
        long exposedCopyNs,
        long peakBytes,
        boolean fits,
        List<Copy> copies,
        List<Level> memory) {
    public StepRun {
        copies = List.copyOf(copies);
        memory = List.copyOf(memory);
    }

    /**
     * One layer's trip over the link.
     *
     * @param out whether it leaves the device
     * @param beginNs since the step's begin
     * @param endNs likewise
     */
    public record Copy(int layer, boolean out, long beginNs, long endNs) {}

    /** Bytes allocated from a moment on. */
    public record Level(long atNs, long bytes) {}

    /** Time on the link while the device computed. */
    public long hiddenCopyNs() {
        return Math.max(0, copyNs - exposedCopyNs);
    }
}
