package dev.lacuna.ui.places.swap;

import java.util.List;
import java.util.Optional;

/**
 * What copying takes in a step, on average.
 *
 * @param steps how many steps the means are of, ≥ 1
 * @param stepNs time of a step
 * @param copyNs time on the link in a step
 * @param hiddenNs the part of it that nobody waited for
 * @param exposedNs the part of it that was waited for
 */
public record StepCopies(int steps, long stepNs, long copyNs, long hiddenNs, long exposedNs) {
    /** As many of the newest steps as the figures come from. */
    public static final int WINDOW = 20;

    /** Means of the newest steps; empty before the first whole one. */
    public static Optional<StepCopies> of(SwapHistory history) {
        List<SwapHistory.Step> steps = history.newestSteps(WINDOW);
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        int count = steps.size();
        long exposed = steps.stream().mapToLong(SwapHistory.Step::exposedNs).sum() / count;
        long copy = steps.stream().mapToLong(SwapHistory.Step::copyNs).sum() / count;
        long time = steps.stream().mapToLong(SwapHistory.Step::stepNs).sum() / count;
        return Optional.of(new StepCopies(count, time, copy, copy - exposed, exposed));
    }

    /** Such as “Of 12.4 ms copying a step 11.9 ms were hidden; 0.5 ms (0.2 % of a step) were waited for.” */
    public String sentence() {
        if (copyNs == 0) {
            return SwapText.TEXTS.get("copies.nothing");
        }
        return SwapText.TEXTS.get(
                exposedNs == 0 ? "copies.sentence.all" : "copies.sentence",
                SwapText.milliseconds(copyNs),
                SwapText.milliseconds(hiddenNs),
                SwapText.milliseconds(exposedNs),
                LinkFrames.percent(exposedShare()));
    }

    /** What was waited for, as a share of the step's time. */
    public double exposedShare() {
        return stepNs <= 0 ? 0 : (double) exposedNs / stepNs;
    }
}
