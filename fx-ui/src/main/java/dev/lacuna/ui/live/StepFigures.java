package dev.lacuna.ui.live;

/**
 * What complete steps under one policy were like.
 *
 * @param steps how many steps these figures come from, ≥ 1
 * @param peakReservedBytes highest reserved in any of them
 * @param gapAtPeakBytes that, less the highest allocated of the same step
 * @param stepNs median duration
 * @param remapsPerStep chunks moved, on average
 */
public record StepFigures(int steps, long peakReservedBytes, long gapAtPeakBytes, long stepNs, double remapsPerStep) {
    /** 1 − peak allocated ÷ peak reserved of the step with the highest peak: 0 … 1. */
    public double fragmentation() {
        return peakReservedBytes == 0 ? 0 : (double) gapAtPeakBytes / peakReservedBytes;
    }
}
