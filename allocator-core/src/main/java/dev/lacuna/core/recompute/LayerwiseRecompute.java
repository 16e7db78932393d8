package dev.lacuna.core.recompute;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The fastest choice of single stages that are recomputed, each on its own: what frameworks' per-layer switches can
 * express. A dynamic programme over the stages that keeps every partial choice no other one dominates in bytes kept and
 * time; what a stage needs while it works depends only on what the stages before it keep, so the choice is the best.
 */
public final class LayerwiseRecompute implements ChainPlanner {
    /** Partial choices kept per stage: chains whose stages are alike need one per stage. */
    private static final int MOST_PARTIALS = 4_000;

    @Override
    public String id() {
        return "layerwise";
    }

    /** A choice for the first stages. */
    private record Partial(long keptBytes, double againMs, boolean recomputed, Optional<Partial> before) {}

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes) {
        List<Partial> partials = List.of(new Partial(chain.inputBytes(), 0, false, Optional.empty()));
        for (int stage = 0; stage < chain.length(); stage++) {
            partials = undominated(extended(chain, stage, partials, budgetBytes));
        }
        return partials.stream()
                .min(Comparator.comparingDouble(Partial::againMs))
                .map(best -> ChainPlan.of(chain, schedule(choices(best, chain.length()), chain.length())))
                .filter(plan -> plan.peakBytes() <= budgetBytes);
    }

    private static List<Partial> extended(ChainProfile chain, int stage, List<Partial> partials, long budgetBytes) {
        ChainStage each = chain.stages().get(stage);
        // While a stage goes forward, the gradient that the backward pass begins with is there already.
        long forward = each.forwardExtraBytes()
                + chain.stages().get(chain.length() - 1).outputBytes();
        long backward = each.savedBytes() + each.outputBytes() + chain.inputOf(stage) + each.backwardExtraBytes();
        long again = each.savedBytes() + each.outputBytes() + each.forwardExtraBytes();
        long keeping = Math.max(each.savedBytes() + forward, backward);
        long recomputing = Math.max(Math.max(each.outputBytes() + forward, again), backward);
        List<Partial> longer = new ArrayList<>();
        for (Partial partial : partials) {
            long before = partial.keptBytes();
            if (before + keeping <= budgetBytes) {
                longer.add(new Partial(before + each.savedBytes(), partial.againMs(), false, Optional.of(partial)));
            }
            if (before + recomputing <= budgetBytes) {
                double againMs = partial.againMs() + each.forwardMs();
                longer.add(new Partial(before + each.outputBytes(), againMs, true, Optional.of(partial)));
            }
        }
        return longer;
    }

    private static List<Partial> undominated(List<Partial> partials) {
        List<Partial> sorted = new ArrayList<>(partials);
        sorted.sort(Comparator.comparingLong(Partial::keptBytes).thenComparingDouble(Partial::againMs));
        List<Partial> kept = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (Partial partial : sorted) {
            if (partial.againMs() < least) {
                least = partial.againMs();
                kept.add(partial);
            }
        }
        if (kept.size() <= MOST_PARTIALS) {
            return kept;
        }
        List<Partial> thinned = new ArrayList<>();
        for (int i = 0; i < MOST_PARTIALS; i++) {
            thinned.add(kept.get((int) ((long) i * (kept.size() - 1) / (MOST_PARTIALS - 1))));
        }
        return thinned;
    }

    private static BitSet choices(Partial last, int length) {
        BitSet recomputed = new BitSet();
        Partial at = last;
        for (int stage = length - 1; stage >= 0; stage--) {
            recomputed.set(stage, at.recomputed());
            at = at.before().orElseThrow();
        }
        return recomputed;
    }

    /** The schedule that runs these stages again, each when its gradient is due. */
    static List<ChainStep> schedule(BitSet recomputed, int length) {
        List<ChainStep> steps = new ArrayList<>();
        for (int stage = 0; stage < length; stage++) {
            steps.add(recomputed.get(stage) ? ChainStep.forward(stage) : ChainStep.saving(stage));
        }
        for (int stage = length - 1; stage >= 0; stage--) {
            if (recomputed.get(stage)) {
                steps.add(ChainStep.saving(stage));
            }
            steps.add(ChainStep.backward(stage));
        }
        return steps;
    }
}
