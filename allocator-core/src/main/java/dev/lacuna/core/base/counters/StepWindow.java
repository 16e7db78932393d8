package dev.lacuna.core.base.counters;

import java.util.List;
import java.util.Optional;

/**
 * Whole steps under one setting, and their gap.
 *
 * @param firstStep number of the first, counted from 1
 * @param lastStep number of the last, ≥ the first
 * @param steps how many of them were seen: where steps are shorter than what lies between two samples, not all are
 * @param gap peaks over those seen
 */
public record StepWindow(long firstStep, long lastStep, int steps, PeakGap gap) {

    /** The window of these steps, oldest first; empty where there are none. */
    public static Optional<StepWindow> of(List<WholeStep> steps) {
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        PeakGap gap = steps.stream().map(WholeStep::peaks).reduce(PeakGap.NONE, PeakGap::and);
        return Optional.of(new StepWindow(
                steps.get(0).number(), steps.get(steps.size() - 1).number(), steps.size(), gap));
    }
}
