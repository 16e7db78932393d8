package dev.lacuna.core.recompute;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The fastest choice of single stages that are recomputed, each on its own: what frameworks' per-layer switches can
 * express. A dynamic programme from the last stage to the first that keeps every choice no other one dominates in memory
 * and time. With one micro-batch at a time the choice is the best there is. With several in flight, what the waiting ones
 * keep counts too, and memory is the sum of both; a choice can then be lost whose working stage needs less.
 */
public final class LayerwiseRecompute implements ChainPlanner {
    /** Partial choices kept per stage: chains whose stages are alike need one per stage. */
    private static final int MOST_PARTIALS = 4_000;

    @Override
    public String id() {
        return "layerwise";
    }

    /**
     * A choice for the last stages.
     *
     * @param peakBytes most bytes while they run, beyond what the stages before them keep
     * @param keptBytes what they keep together
     */
    private record Partial(
            long peakBytes, long keptBytes, double againMs, boolean recomputed, Optional<Partial> behind) {
        double memory(double inFlight) {
            return peakBytes + (inFlight - 1) * keptBytes;
        }
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes) {
        return plan(chain, budgetBytes, 1);
    }

    /**
     * The same where several micro-batches are kept at once.
     *
     * @param inFlight how many, the one that is worked on among them; from 1
     */
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, double inFlight) {
        double room = budgetBytes - inFlight * chain.inputBytes();
        List<Partial> partials = List.of(new Partial(0, 0, 0, false, Optional.empty()));
        for (int stage = chain.length() - 1; stage >= 0; stage--) {
            partials = undominated(extended(chain, stage, partials, room, inFlight), inFlight);
        }
        return partials.stream()
                .min(Comparator.comparingDouble(Partial::againMs))
                .map(best -> ChainPlan.of(chain, schedule(choices(best), chain.length())))
                .filter(plan -> plan.peakBytes() + (inFlight - 1) * plan.keptBytes(chain) <= budgetBytes);
    }

    private static List<Partial> extended(
            ChainProfile chain, int stage, List<Partial> partials, double room, double inFlight) {
        ChainStage each = chain.stages().get(stage);
        // While a stage goes forward, the gradient that the backward pass begins with is there already.
        long forward = each.forwardExtraBytes()
                + chain.stages().get(chain.length() - 1).outputBytes();
        long backward = each.savedBytes() + each.outputBytes() + chain.inputOf(stage) + each.backwardExtraBytes();
        long again = each.savedBytes() + each.outputBytes() + each.forwardExtraBytes();
        long keeping = Math.max(each.savedBytes() + forward, backward);
        long recomputing = Math.max(Math.max(each.outputBytes() + forward, again), backward);
        // Nobody reads the last output before the stage runs again.
        long output = stage == chain.length() - 1 ? 0 : each.outputBytes();
        List<Partial> longer = new ArrayList<>();
        for (Partial partial : partials) {
            longer.add(new Partial(
                    Math.max(keeping, each.savedBytes() + partial.peakBytes()),
                    each.savedBytes() + partial.keptBytes(),
                    partial.againMs(),
                    false,
                    Optional.of(partial)));
            longer.add(new Partial(
                    Math.max(recomputing, output + partial.peakBytes()),
                    output + partial.keptBytes(),
                    partial.againMs() + each.forwardMs(),
                    true,
                    Optional.of(partial)));
        }
        longer.removeIf(partial -> partial.memory(inFlight) > room);
        return longer;
    }

    private static List<Partial> undominated(List<Partial> partials, double inFlight) {
        List<Partial> sorted = new ArrayList<>(partials);
        sorted.sort(Comparator.<Partial>comparingDouble(partial -> partial.memory(inFlight))
                .thenComparingDouble(Partial::againMs)
                // Of stages that are alike the first ones run again: what frameworks can say.
                .thenComparing(partial -> !partial.recomputed()));
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

    private static BitSet choices(Partial first) {
        BitSet recomputed = new BitSet();
        int stage = 0;
        for (Partial at = first; at.behind().isPresent(); at = at.behind().get()) {
            recomputed.set(stage++, at.recomputed());
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
