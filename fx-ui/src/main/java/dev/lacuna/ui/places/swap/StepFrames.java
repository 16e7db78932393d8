package dev.lacuna.ui.places.swap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Pictures of what each of the newest steps copied: what hid behind the computation, and on it what was waited for. */
final class StepFrames {
    private static final double MS = 1e6;
    private static final double GAP = 0.25;
    private static final int TICK_EVERY = 4;

    private final SwapHistory history;

    StepFrames(SwapHistory history) {
        this.history = history;
    }

    /** The newest steps in at most so many bars; empty before the first whole one. */
    Optional<BarsFrame> newest(int mostBars) {
        List<SwapHistory.Step> steps = history.newestSteps(mostBars);
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        double highest =
                steps.stream().mapToLong(SwapHistory.Step::copyNs).max().orElse(0) / MS;
        double top = BarsFrame.roundAtLeast(Math.max(0.1, highest * 1.1));
        List<BarsFrame.Bar> bars = new ArrayList<>();
        List<BarsFrame.Tick> places = new ArrayList<>();
        List<BarsFrame.Sign> signs = new ArrayList<>();
        int first = mostBars - steps.size();
        for (int i = 0; i < steps.size(); i++) {
            SwapHistory.Step step = steps.get(i);
            double from = (double) (first + i) / mostBars;
            double to = (first + i + 1 - GAP) / mostBars;
            bars.add(new BarsFrame.Bar(from, to, List.of(step.hiddenNs() / MS, step.exposedNs() / MS), 0));
            if (step.rescues() > 0) {
                signs.add(new BarsFrame.Sign((from + to) / 2, SwapHistory.Kind.RESCUE, ""));
            }
            if (step.troubles() > 0) {
                signs.add(new BarsFrame.Sign((from + to) / 2, SwapHistory.Kind.FAILURE, ""));
            }
            int every = Math.max(1, mostBars / TICK_EVERY);
            if (step.number() % every == 0) {
                places.add(new BarsFrame.Tick((from + to) / 2, Long.toString(step.number())));
            }
        }
        return Optional.of(new BarsFrame(bars, top, 0, levels(top), places, signs));
    }

    private static List<BarsFrame.Tick> levels(double top) {
        return List.of(
                new BarsFrame.Tick(top, SwapText.milliseconds(top * MS)),
                new BarsFrame.Tick(top / 2, SwapText.milliseconds(top / 2 * MS)),
                new BarsFrame.Tick(0, "0"));
    }
}
