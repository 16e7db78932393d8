package dev.lacuna.core.planning.graph.model;

/**
 * How hard a planner works, counted in steps of its algorithms and never in time: the same plan on every machine.
 *
 * @param moves changes that a search may try
 * @param boundSteps iterations of the computation of a lower bound; 0 leaves the bound at what is plain to see
 */
public record SolverEffort(long moves, int boundSteps) {
    /** About a second for graphs of a few hundred nodes. */
    public static final SolverEffort QUICK = new SolverEffort(200_000, 200);
    /** Some seconds. */
    public static final SolverEffort USUAL = new SolverEffort(2_000_000, 1_000);
    /** Minutes. */
    public static final SolverEffort THOROUGH = new SolverEffort(40_000_000, 10_000);

    public SolverEffort {
        if (moves < 0 || boundSteps < 0) {
            throw new IllegalArgumentException("effort must not be negative: " + moves + ", " + boundSteps);
        }
    }
}
