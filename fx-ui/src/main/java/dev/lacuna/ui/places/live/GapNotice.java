package dev.lacuna.ui.places.live;

/**
 * What is to be said of a gap above the threshold.
 *
 * @param severity whether it costs memory when memory is needed
 * @param part what most of the free memory is, at the moment that is spoken of
 * @param window the gap, and of which steps
 * @param widestNowBytes the most that lay free at one moment, of the last ones
 * @param thresholdBytes what it is above
 * @param optimised whether the optimisation is on
 */
public record GapNotice(
        Severity severity, Part part, WindowGap window, long widestNowBytes, long thresholdBytes, boolean optimised) {
    /** How much it matters. */
    public enum Severity {
        /** The gap itself is above the threshold: memory that the trainer cannot use. */
        WARNING,
        /** Only between the peaks is so much free. */
        CALM
    }

    /** The parts of what is free. */
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
