package dev.lacuna.core.planning;

import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
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
     * @param progress told before each point which it will be
     */
    public static ParetoCurve of(
            PlanningProfile profile,
            List<PlanningMethod> methods,
            List<Long> budgets,
            PlanningTerms terms,
            Consumer<PlanPoint> found,
            Consumer<PlanningProgress> progress) {
        TreeSet<Long> sorted = new TreeSet<>(budgets);
        PlanningTime time = new PlanningTime(terms, methods, sorted.size());
        List<PlanPoint> points = new ArrayList<>();
        Map<String, PlanPoint.Planned> best = new HashMap<>();
        for (long budget : sorted) {
            for (PlanningMethod method : methods) {
                if (terms.cancelled().getAsBoolean()) {
                    return new ParetoCurve(points);
                }
                progress.accept(new PlanningProgress(
                        method.id(), budget, points.size(), methods.size() * sorted.size(), fastest(best.values())));
                PlanPoint asked = method.plan(
                                profile, profile.spare().plannable(budget), terms.effort(), time.next(method))
                        .within(budget);
                PlanPoint point = better(asked, Optional.ofNullable(best.get(method.id())));
                if (point instanceof PlanPoint.Planned planned) {
                    best.put(method.id(), planned);
                }
                points.add(point);
                found.accept(point);
            }
        }
        return new ParetoCurve(points);
    }

    private static Optional<PlanPoint.Planned> fastest(Collection<PlanPoint.Planned> plans) {
        return plans.stream()
                .min(Comparator.comparingDouble(PlanPoint.Planned::overhead)
                        .thenComparingLong(PlanPoint.Planned::peakBytes));
    }

    private static PlanPoint better(PlanPoint point, Optional<PlanPoint.Planned> smaller) {
        if (smaller.isEmpty()) {
            return point;
        }
        if (!(point instanceof PlanPoint.Planned planned)) {
            return smaller.get().under(point.budgetBytes(), OptionalDouble.empty(), point.endedEarly());
        }
        return planned.overhead() > smaller.get().overhead()
                ? smaller.get().under(point.budgetBytes(), planned.leastOverhead(), point.endedEarly())
                : point;
    }

    /** Whether a method would have gone on searching, had there been more time. */
    public boolean endedEarly() {
        return points.stream().anyMatch(PlanPoint::endedEarly);
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
