package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.BitSet;
import java.util.Optional;

/** About √n segments of equal length. Source: Chen et al., arXiv 1604.06174, section 4.1. */
public final class ChenSquareRoot implements ChainPlanner {
    @Override
    public String id() {
        return "chen-sqrt";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        int length = chain.length();
        int segments = Math.max(1, (int) Math.round(Math.sqrt(length)));
        BitSet begins = new BitSet();
        for (int i = 0; i < segments; i++) {
            begins.set((int) ((long) i * length / segments));
        }
        return Optional.of(ChainPlan.of(chain, Segments.schedule(length, begins)))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }
}
