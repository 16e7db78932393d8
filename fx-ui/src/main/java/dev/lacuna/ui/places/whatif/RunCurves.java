package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.replay.ReplayTimeline;
import dev.lacuna.ui.chart.Columns;
import dev.lacuna.ui.chart.OverlayPicture;
import java.util.ArrayList;
import java.util.List;

/** Turns the timelines of runs into a picture of them over each other. */
final class RunCurves {
    private RunCurves() {}

    /** The picture of at least one run; all of them are of the same trace. */
    static OverlayPicture of(List<PolicyRun> runs) {
        ReplayTimeline first = runs.get(0).timeline();
        int stretches = first.stretches();
        List<OverlayPicture.Curve> curves = new ArrayList<>();
        for (PolicyRun run : runs) {
            curves.add(curve(run));
        }
        long[] min = new long[stretches];
        long[] max = new long[stretches];
        int[] steps = new int[stretches];
        for (int i = 0; i < stretches; i++) {
            min[i] = Long.MAX_VALUE;
            for (PolicyRun run : runs) {
                // Under a policy that fails less is allocated than the trace asks for: the fullest tells the need.
                min[i] = Math.min(min[i], run.timeline().allocatedMin(i));
                max[i] = Math.max(max[i], run.timeline().allocatedMax(i));
            }
            steps[i] = first.stepsBegun(i);
        }
        return new OverlayPicture(first.rows(), first.rowsPerStretch(), new Columns(min, max), curves, steps);
    }

    private static OverlayPicture.Curve curve(PolicyRun run) {
        ReplayTimeline timeline = run.timeline();
        int stretches = timeline.stretches();
        long[] min = new long[stretches];
        long[] max = new long[stretches];
        int[] failures = new int[stretches];
        for (int i = 0; i < stretches; i++) {
            min[i] = timeline.reservedMin(i);
            max[i] = timeline.reservedMax(i);
            failures[i] = timeline.ooms(i);
        }
        return new OverlayPicture.Curve(
                run.policy(), PolicyChoice.colourOf(run.policy()), new Columns(min, max), failures);
    }
}
