package dev.lacuna.core.recompute;

import java.util.BitSet;
import java.util.Optional;

/** Every stage keeps its input and is recomputed as a whole, as frameworks' full recomputation does it. */
public final class FullRecompute implements ChainPlanner {
    @Override
    public String id() {
        return "full";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes) {
        BitSet begins = new BitSet();
        begins.set(0, chain.length());
        return Optional.of(ChainPlan.of(chain, Segments.schedule(chain.length(), begins)))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }
}
