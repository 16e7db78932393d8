package dev.lacuna.core.planning.method;

import java.time.Duration;

/** How long methods that search may search: by count for a point, and by the clock for all points together. */
public enum PlanningEffort {
    /** A second or so: while somebody drags a budget. */
    QUICK(0.1, Duration.ofSeconds(20)),
    /** Some seconds. */
    USUAL(1, Duration.ofMinutes(2)),
    /** Minutes: for the plan that a cluster will run. */
    THOROUGH(20, Duration.ofHours(1));

    private final double work;
    private final Duration limit;

    PlanningEffort(double work, Duration limit) {
        this.work = work;
        this.limit = limit;
    }

    /** Steps that a search may take for a point, over the usual number. */
    double work() {
        return work;
    }

    /** When planning ends at the latest, unless somebody says otherwise. */
    public Duration limit() {
        return limit;
    }
}
