package dev.lacuna.core.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What methods find under a row of budgets: time over memory.
 *
 * @param points one per method and budget, by budget from small to large, then in the methods' order
 */
public record ParetoCurve(List<PlanPoint> points) {
    public ParetoCurve {
        points = List.copyOf(points);
    }

    /**
     * Budgets worth trying: evenly from the least that any plan needs to what a step takes that recomputes nothing, with its spare.
     *
     * @param count how many, from 1
     */
    public static List<Long> budgets(PlanningProfile profile, int count) {
        long least = profile.leastBytes();
        long most = profile.spare().limitFor(Math.max(least, profile.plainPeakBytes()));
        TreeSet<Long> budgets = new TreeSet<>();
        for (int i = 1; i <= count; i++) {
            budgets.add(least + (long) Math.ceil((double) (most - least) * i / count));
        }
        return List.copyOf(budgets);
    }

    /**
     * Asks each method at each budget, from the smallest on. A plan for a smaller budget holds under a larger one, and
     * stands there where the method finds none that is faster; so no method gets slower with more memory.
     *
     * @param found told each point as it is found
     * @param cancelled asked before each point; the curve then ends with what there is
     */
    public static ParetoCurve of(
            PlanningProfile profile,
            List<PlanningMethod> methods,
            List<Long> budgets,
            PlanningEffort effort,
            Consumer<PlanPoint> found,
            BooleanSupplier cancelled) {
        List<PlanPoint> points = new ArrayList<>();
        Map<String, PlanPoint.Planned> best = new HashMap<>();
        for (long budget : new TreeSet<>(budgets)) {
            for (PlanningMethod method : methods) {
                if (cancelled.getAsBoolean()) {
                    return new ParetoCurve(points);
                }
                PlanPoint point =
                        better(asked(profile, method, budget, effort), Optional.ofNullable(best.get(method.id())));
                if (point instanceof PlanPoint.Planned planned) {
                    best.put(method.id(), planned);
                }
                points.add(point);
                found.accept(point);
            }
        }
        return new ParetoCurve(points);
    }

    private static PlanPoint asked(PlanningProfile profile, PlanningMethod method, long budget, PlanningEffort effort) {
        return method.plan(profile, profile.spare().plannable(budget), effort).within(budget);
    }

    private static PlanPoint better(PlanPoint point, Optional<PlanPoint.Planned> smaller) {
        boolean slower = smaller.isPresent()
                && (!(point instanceof PlanPoint.Planned planned)
                        || planned.overhead() > smaller.get().overhead());
        return slower ? smaller.get().under(point.budgetBytes()) : point;
    }

    /** Plans than which no other needs less memory without taking longer, or less time without needing more memory. */
    public List<PlanPoint.Planned> undominated() {
        List<PlanPoint.Planned> sorted = planned().stream()
                .sorted(Comparator.comparingLong(PlanPoint.Planned::peakBytes)
                        .thenComparingDouble(PlanPoint.Planned::overhead))
                .toList();
        List<PlanPoint.Planned> kept = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (PlanPoint.Planned point : sorted) {
            if (point.overhead() < least) {
                least = point.overhead();
                kept.add(point);
            }
        }
        return List.copyOf(kept);
    }

    /** The fastest plan that needs at most this many bytes, and of those the leanest. */
    public Optional<PlanPoint.Planned> fastestWithin(long bytes) {
        return planned().stream()
                .filter(point -> point.peakBytes() <= bytes)
                .min(Comparator.comparingDouble(PlanPoint.Planned::overhead)
                        .thenComparingLong(PlanPoint.Planned::peakBytes));
    }

    /** All plans that were found. */
    public List<PlanPoint.Planned> planned() {
        return points.stream()
                .filter(PlanPoint.Planned.class::isInstance)
                .map(PlanPoint.Planned.class::cast)
                .toList();
    }
}
