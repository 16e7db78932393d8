package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.BitSet;
import java.util.Optional;

/** Nothing is recomputed. */
public final class StoreAll implements ChainPlanner {
    @Override
    public String id() {
        return "store-all";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        return Optional.of(ChainPlan.of(chain, Segments.schedule(chain.length(), new BitSet())))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }
}
