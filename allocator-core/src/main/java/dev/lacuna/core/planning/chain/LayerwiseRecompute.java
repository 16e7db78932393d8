package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
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
    /** Partial choices over all stages: long chains keep fewer per stage. */
    private static final int MOST_WORK = 512_000;

    private static final int FEWEST_PARTIALS = 500;
    /** When there is no time left: enough for a plan, a thousandth of a second for some hundred stages. */
    private static final int HURRIED_PARTIALS = 16;

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

    /**
     * A choice.
     *
     * @param best whether none that was left out on the way could have been faster
     */
    public record Found(ChainPlan plan, boolean best) {}

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        return find(chain, budgetBytes, 1, patience).map(Found::plan);
    }

    /**
     * The same where several micro-batches are kept at once.
     *
     * @param inFlight how many, the one that is worked on among them; from 1
     */
    public Optional<Found> find(ChainProfile chain, long budgetBytes, double inFlight, Patience patience) {
        double room = budgetBytes - inFlight * chain.inputBytes();
        KeepingRest rest = new KeepingRest(chain);
        int most = Math.max(FEWEST_PARTIALS, Math.min(MOST_PARTIALS, MOST_WORK / chain.length()));
        boolean best = true;
        List<Partial> partials = List.of(new Partial(0, 0, 0, false, Optional.empty()));
        for (int stage = chain.length() - 1; stage >= 0; stage--) {
            List<Partial> all = rest.worthwhile(
                    stage, undominated(extended(chain, stage, partials, room, inFlight), inFlight), room, inFlight);
            partials = thinned(all, patience.isOver() ? HURRIED_PARTIALS : most);
            best &= partials.size() == all.size();
        }
        boolean nothingLost = best;
        return partials.stream()
                .min(Comparator.comparingDouble(Partial::againMs))
                .map(fastest -> ChainPlan.of(chain, schedule(choices(fastest), chain.length())))
                .filter(plan -> plan.peakBytes() + (inFlight - 1) * plan.keptBytes(chain) <= budgetBytes)
                .map(plan -> new Found(plan, nothingLost));
    }

    /** What keeping all stages before one takes. */
    private static final class KeepingRest {
        private final long[] alone;
        private final long[] saved;

        KeepingRest(ChainProfile chain) {
            alone = new long[chain.length() + 1];
            saved = new long[chain.length() + 1];
            for (int stage = 0; stage < chain.length(); stage++) {
                alone[stage + 1] = Math.max(
                        alone[stage], saved[stage] + Needs.of(chain, stage).keeping());
                saved[stage + 1] = saved[stage] + chain.stages().get(stage).savedBytes();
            }
        }

        /** Without those that are slower already than one is that can keep all stages before it. */
        List<Partial> worthwhile(int stage, List<Partial> fasterAndFaster, double room, double inFlight) {
            int from = 0;
            while (from < fasterAndFaster.size() && memory(stage, fasterAndFaster.get(from), inFlight) <= room) {
                from++;
            }
            return from <= 1 ? fasterAndFaster : fasterAndFaster.subList(from - 1, fasterAndFaster.size());
        }

        private double memory(int stage, Partial behind, double inFlight) {
            double peak = Math.max(alone[stage], saved[stage] + behind.peakBytes());
            return peak + (inFlight - 1) * (saved[stage] + behind.keptBytes());
        }
    }

    /**
     * What a stage needs beside what others keep.
     *
     * @param keeping at most, where it saves on its only way forward
     * @param recomputing at most, where it runs again
     */
    private record Needs(long keeping, long recomputing) {
        static Needs of(ChainProfile chain, int stage) {
            ChainStage each = chain.stages().get(stage);
            // While a stage goes forward, the gradient that the backward pass begins with is there already.
            long forward = each.forwardExtraBytes()
                    + chain.stages().get(chain.length() - 1).outputBytes();
            long backward = each.savedBytes() + each.outputBytes() + chain.inputOf(stage) + each.backwardExtraBytes();
            long again = each.savedBytes() + each.outputBytes() + each.forwardExtraBytes();
            return new Needs(
                    Math.max(each.savedBytes() + forward, backward),
                    Math.max(Math.max(each.outputBytes() + forward, again), backward));
        }
    }

    /** All that keep the stage, then all that recompute it: each half is in order already. */
    private static List<Partial> extended(
            ChainProfile chain, int stage, List<Partial> partials, double room, double inFlight) {
        ChainStage each = chain.stages().get(stage);
        Needs needs = Needs.of(chain, stage);
        // Nobody reads the last output before the stage runs again.
        long output = stage == chain.length() - 1 ? 0 : each.outputBytes();
        List<Partial> longer = new ArrayList<>(2 * partials.size());
        for (Partial partial : partials) {
            longer.add(new Partial(
                    Math.max(needs.keeping(), each.savedBytes() + partial.peakBytes()),
                    each.savedBytes() + partial.keptBytes(),
                    partial.againMs(),
                    false,
                    Optional.of(partial)));
        }
        for (Partial partial : partials) {
            longer.add(new Partial(
                    Math.max(needs.recomputing(), output + partial.peakBytes()),
                    output + partial.keptBytes(),
                    partial.againMs() + each.forwardMs(),
                    true,
                    Optional.of(partial)));
        }
        longer.removeIf(partial -> partial.memory(inFlight) > room);
        return longer;
    }

    private static List<Partial> undominated(List<Partial> partials, double inFlight) {
        partials.sort(Comparator.<Partial>comparingDouble(partial -> partial.memory(inFlight))
                .thenComparingDouble(Partial::againMs)
                // Of stages that are alike the first ones run again: what frameworks can say.
                .thenComparing(partial -> !partial.recomputed()));
        List<Partial> kept = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (Partial partial : partials) {
            if (partial.againMs() < least) {
                least = partial.againMs();
                kept.add(partial);
            }
        }
        return kept;
    }

    /** Spread evenly, both ends kept. */
    private static List<Partial> thinned(List<Partial> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        List<Partial> thinned = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            thinned.add(all.get((int) ((long) i * (all.size() - 1) / (most - 1))));
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
