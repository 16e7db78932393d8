package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.BitSet;
import java.util.Optional;

/**
 * Every stage is recomputed, the last one too, as frameworks' full recomputation does it. A stage without output, the
 * loss, is kept.
 */
public final class EveryStage implements ChainPlanner {
    @Override
    public String id() {
        return "full";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        BitSet recomputed = new BitSet();
        for (int stage = 0; stage < chain.length(); stage++) {
            recomputed.set(stage, chain.stages().get(stage).outputBytes() > 0);
        }
        return Optional.of(ChainPlan.of(chain, LayerwiseRecompute.schedule(recomputed, chain.length())))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }
}
