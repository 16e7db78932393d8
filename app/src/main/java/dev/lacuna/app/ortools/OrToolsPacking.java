package dev.lacuna.app.ortools;

import dev.lacuna.core.allocator.packing.ExactSolver;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.SearchBudget;
import java.util.Optional;

/** Whether blocks fit, decided by OR-Tools where it is installed; undecided where it is not. A service of the core. */
public final class OrToolsPacking implements ExactSolver {
    private final OrTools tools;

    /** Asks what the usual folder holds. */
    public OrToolsPacking() {
        this(OrTools.installed());
    }

    OrToolsPacking(OrTools tools) {
        this.tools = tools;
    }

    @Override
    public Answer solve(Lifetimes blocks, long capacity, SearchBudget budget) {
        return tools.packing()
                .map(solver -> solver.solve(blocks, capacity, budget))
                .orElseGet(() -> new Answer(Verdict.UNDECIDED, Optional.empty(), 0));
    }
}
