package dev.lacuna.core.planning;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanningEffort;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How hard to plan, and for how long.
 *
 * @param effort how hard
 * @param limit when all points together must be there; the best so far counts then
 * @param clockNs a clock that never goes back, nanoseconds
 * @param cancelled whether nobody waits for the result any more
 */
public record PlanningTerms(PlanningEffort effort, Duration limit, LongSupplier clockNs, BooleanSupplier cancelled) {
    public PlanningTerms {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("no time to plan: " + limit);
        }
    }

    /** As long as the effort usually allows, by the machine's clock. */
    public static PlanningTerms of(PlanningEffort effort, BooleanSupplier cancelled) {
        return new PlanningTerms(effort, effort.limit(), System::nanoTime, cancelled);
    }

    /** The same with another limit. */
    public PlanningTerms within(Duration other) {
        return new PlanningTerms(effort, other, clockNs, cancelled);
    }

    /** Patience for a single search that begins now. */
    public Patience patience() {
        return Patience.until(clockNs.getAsLong() + limit.toNanos(), clockNs, cancelled);
    }
}
