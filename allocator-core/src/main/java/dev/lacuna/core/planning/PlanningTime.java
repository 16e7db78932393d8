package dev.lacuna.core.planning;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanningMethod;
import java.util.List;

/** Deals the time for all points out to them. What one leaves goes to those after it. */
final class PlanningTime {
    /** What a point may take of the time that is left, however many come after it. */
    private static final double LEAST_PART = 0.05;

    private final PlanningTerms terms;
    private final long endNs;
    private long shares;

    PlanningTime(PlanningTerms terms, List<PlanningMethod> methods, int budgets) {
        this.terms = terms;
        this.endNs = terms.clockNs().getAsLong() + terms.limit().toNanos();
        this.shares =
                budgets * methods.stream().mapToLong(PlanningMethod::share).sum();
    }

    /** For the next point. */
    Patience next(PlanningMethod method) {
        long now = terms.clockNs().getAsLong();
        double part = Math.max(LEAST_PART, (double) method.share() / Math.max(method.share(), shares));
        shares -= method.share();
        return Patience.until(now + (long) (Math.max(0, endNs - now) * part), terms.clockNs(), terms.cancelled());
    }
}
