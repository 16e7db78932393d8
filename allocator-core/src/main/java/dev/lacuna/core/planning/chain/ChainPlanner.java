package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.Optional;

/** A way to choose what a chain recomputes. */
public interface ChainPlanner {
    /** Stable name, as on the command line. */
    String id();

    /**
     * The fastest plan that this way knows within the budget in bytes; empty when it knows none.
     *
     * @param patience when it is over, the best so far is the answer
     */
    Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience);

    /** The same with all the time there is. */
    default Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes) {
        return plan(chain, budgetBytes, Patience.endless());
    }
}
