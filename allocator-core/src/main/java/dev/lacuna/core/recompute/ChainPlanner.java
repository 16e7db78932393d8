package dev.lacuna.core.recompute;

import java.util.Optional;

/** A way to choose what a chain recomputes. */
public interface ChainPlanner {
    /** Stable name, as on the command line. */
    String id();

    /** The fastest plan that this way knows within the budget in bytes; empty when it knows none. */
    Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes);
}
