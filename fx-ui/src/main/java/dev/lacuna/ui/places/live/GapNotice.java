package dev.lacuna.ui.places.live;

/**
 * What is to be said of a gap above the threshold.
 *
 * @param severity whether it costs memory when memory is needed
 * @param part the largest part of the gap that is spoken of
 * @param gapBytes the gap that is spoken of
 * @param partBytes its largest part
 * @param atPeakBytes the gap when allocated was highest
 * @param thresholdBytes what it is above
 * @param optimised whether the optimisation is on
 */
public record GapNotice(
        Severity severity,
        Part part,
        long gapBytes,
        long partBytes,
        long atPeakBytes,
        long thresholdBytes,
        boolean optimised) {
    /** How much it matters. */
    public enum Severity {
        /** The gap is there at the moment when allocated is highest: memory that the trainer cannot use. */
        WARNING,
        /** The gap opens only between the peaks. */
        CALM
    }

    /** The parts of a gap. */
    public enum Part {
        /** Free pieces of partly used segments: fragmentation proper. */
        SPLIT,
        /** Wholly free segments: cache. */
        RELEASABLE,
        /** Freed, but a stream still uses it. */
        PENDING
    }

    /** Whether turning the optimisation on would make this gap smaller: cache that the peak uses again needs nothing. */
    public boolean canOptimise() {
        return !optimised
                && switch (part) {
                    case SPLIT -> true;
                    case RELEASABLE -> severity == Severity.WARNING;
                    case PENDING -> false;
                };
    }
}
