package dev.lacuna.core.planner;

/** How long methods that search may search, for a point. */
public enum PlanningEffort {
    /** A second or so: while somebody drags a budget. */
    QUICK,
    /** Some seconds. */
    USUAL,
    /** Minutes: for the plan that a cluster will run. */
    THOROUGH
}
