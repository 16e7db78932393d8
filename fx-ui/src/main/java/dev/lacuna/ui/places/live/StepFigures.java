package dev.lacuna.ui.places.live;

/**
 * What complete steps under one policy were like.
 *
 * @param steps how many steps these figures come from, ≥ 1
 * @param peakReservedBytes highest reserved in any of them
 * @param gapAtPeakBytes that, less the highest allocated of the same step
 * @param stepNs median duration
 * @param stepNsSpread longest duration − shortest
 * @param remapsPerStep chunks moved, on average
 */
public record StepFigures(
        int steps, long peakReservedBytes, long gapAtPeakBytes, long stepNs, long stepNsSpread, double remapsPerStep) {
    /** Durations depend on whatever else the machine does: less than this share never says anything. */
    private static final double NOISE = 0.10;

    /** Differences of duration up to this many nanoseconds say nothing: they lie within 10 % or within the spread. */
    public double noiseNs() {
        return Math.max(stepNs * NOISE, stepNsSpread);
    }

    /** 1 − peak allocated ÷ peak reserved of the step with the highest peak: 0 … 1. */
    public double fragmentation() {
        return peakReservedBytes == 0 ? 0 : (double) gapAtPeakBytes / peakReservedBytes;
    }
}
