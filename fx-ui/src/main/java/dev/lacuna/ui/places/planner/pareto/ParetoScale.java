package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.ui.chart.ByteScale;
import java.util.ArrayList;
import java.util.List;

/**
 * Where plans lie in a picture: memory from left to right, overhead upwards.
 *
 * @param least bytes at the left edge
 * @param most bytes at the right edge
 * @param top overhead at the upper edge; what is slower is drawn there
 */
record ParetoScale(long least, long most, double top, double width, double height) {
    private static final double HEADROOM = 1.08;
    private static final double SLOWEST = 4;

    static ParetoScale of(PlanningProfile profile, List<PlanPoint.Planned> plans, double width, double height) {
        long most = profile.spare().limitFor(profile.plainPeakBytes());
        long least = profile.leastBytes();
        double top = 1.1;
        for (PlanPoint.Planned plan : plans) {
            most = Math.max(most, plan.peakBytes());
            least = Math.min(least, plan.peakBytes());
            top = Math.max(top, Math.min(SLOWEST, plan.overhead()));
        }
        long room = Math.max(1, (most - least) / 24);
        return new ParetoScale(Math.max(0, least - room), most + room, 1 + (top - 1) * HEADROOM, width, height);
    }

    double x(long bytes) {
        return (double) (bytes - least) / (most - least) * width;
    }

    long bytes(double x) {
        return least + Math.round(Math.max(0, Math.min(1, x / width)) * (most - least));
    }

    double y(double overhead) {
        return height - (Math.min(top, overhead) - 1) / (top - 1) * height;
    }

    /** Round sizes between the edges, at most eight. */
    List<Long> ticks() {
        ByteScale scale = new ByteScale();
        scale.fit(most - least);
        List<Long> ticks = new ArrayList<>();
        for (long at = (least / scale.step() + 1) * scale.step(); at < most; at += scale.step()) {
            ticks.add(at);
        }
        return ticks;
    }

    /** Overheads for grid lines, from 1. */
    List<Double> overheads() {
        double step = top < 1.25 ? 0.05 : top < 1.6 ? 0.1 : top < 2.2 ? 0.2 : 0.5;
        List<Double> lines = new ArrayList<>();
        for (int i = 0; 1 + i * step <= top; i++) {
            lines.add(1 + i * step);
        }
        return lines;
    }
}
