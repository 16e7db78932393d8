package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.base.counters.StepWindow;
import dev.lacuna.core.base.counters.WholeStep;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What whole steps under one setting were like.
 *
 * @param window which steps, and their gap
 * @param stepNs median duration
 * @param stepNsSpread longest duration − shortest
 * @param peakAllocatedBytes median of the steps' highest allocated
 * @param peakAllocatedSpread highest of them − lowest
 * @param remapsPerStep chunks moved, on average
 */
public record StepFigures(
        StepWindow window,
        long stepNs,
        long stepNsSpread,
        long peakAllocatedBytes,
        long peakAllocatedSpread,
        double remapsPerStep) {

    /** The figures of these steps, at least one. */
    static StepFigures of(List<WholeStep> steps) {
        long[] ns = sorted(steps, WholeStep::ns);
        long[] allocated = sorted(steps, step -> step.peaks().peakAllocatedBytes());
        int last = steps.size() - 1;
        return new StepFigures(
                StepWindow.of(steps).orElseThrow(),
                ns[ns.length / 2],
                ns[last] - ns[0],
                allocated[allocated.length / 2],
                allocated[last] - allocated[0],
                steps.stream().mapToLong(WholeStep::remaps).average().orElse(0));
    }

    /** Their gap. */
    public PeakGap gap() {
        return window.gap();
    }

    private static long[] sorted(List<WholeStep> steps, ToLongFunction<WholeStep> figure) {
        return steps.stream().mapToLong(figure).sorted().toArray();
    }
}
