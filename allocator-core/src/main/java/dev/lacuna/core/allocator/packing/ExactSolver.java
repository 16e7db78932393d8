package dev.lacuna.core.allocator.packing;

import java.util.Optional;

/** Decides whether blocks fit into a capacity, by a search that would find a plan if it were given the time. */
public interface ExactSolver {
    /**
     * Looks for a plan.
     *
     * @param capacity bytes, ≥ 0
     */
    Answer solve(Lifetimes blocks, long capacity, SearchBudget budget);

    /** What is known after the search. */
    enum Verdict {
        /** There is a plan. */
        FITS,
        /** The search saw everything: there is none. */
        IMPOSSIBLE,
        /** The budget ended first, or the instance is beyond what this solver takes. */
        UNDECIDED
    }

    /**
     * The end of a search.
     *
     * @param verdict what is known
     * @param plan present exactly when the blocks fit
     * @param nodes decisions tried
     */
    record Answer(Verdict verdict, Optional<Plan> plan, long nodes) {}
}
