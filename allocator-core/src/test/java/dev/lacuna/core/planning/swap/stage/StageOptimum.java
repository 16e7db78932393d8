package dev.lacuna.core.planning.swap.stage;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination;
import dev.lacuna.core.planning.swap.mindspeed.StagePlace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fastest way to keep, swap and recompute the layers of a pipeline stage within a memory budget, where copies hide
 * behind computation: a dynamic programme over the layers that keeps every partial assignment no other one dominates.
 *
 * <p>The link of each direction is a queue. A layer's copy joins it when the layer's pass ends, and is worked off while
 * later layers compute; a layer waits until no more than the buffer is queued, and the pass ends with an empty queue. The
 * way in is the same in reverse time, hidden behind the backward passes, which recomputation makes longer.
 *
 * <p>One partial assignment dominates another when it needs no more memory and its time, plus whatever it has queued
 * beyond the other, is no more: more in a queue can cost no more time than it takes to work off. So nothing that could
 * have become the best is dropped, and the result is proven optimal, unless so many are left that the limit cuts them.
 * Then the fastest of those that were cut bounds what might have been found.
 */
public final class StageOptimum {
    /** Partial assignments kept per layer. */
    private static final int MOST_PARTIALS = 2_000;
    /** A first search that keeps so few finds what the second one cuts with. */
    private static final int FEW_PARTIALS = 50;
    /** Sums of milliseconds and of MiB agree to this. */
    private static final double ROUNDING = 1e-9;

    /**
     * What a layer may do.
     *
     * @param combination memory (whole, MiB) and time added to the backward pass, by recomputation say, ms
     * @param copyMs link time of what it swaps, each way
     */
    public record Choice(LayerCombination combination, double copyMs) {
        /** Waiting for as long as the other recomputes hides as much of what is queued. */
        private boolean asGoodAs(Choice other) {
            return combination.memoryMb() <= other.combination.memoryMb()
                    && combination.timeMs() <= other.combination.timeMs()
                    && copyMs <= other.copyMs;
        }
    }

    /**
     * An assignment.
     *
     * @param layers a choice per layer, in order
     * @param memoryMb of all layers at the height of warm-up, MiB
     * @param timeMs added to one micro-batch, forwards and backwards
     * @param proven whether nothing within the budget is faster; otherwise the best that was found
     * @param boundMs nothing within the budget adds less
     */
    public record Solution(List<Choice> layers, double memoryMb, double timeMs, boolean proven, double boundMs) {
        public Solution {
            layers = List.copyOf(layers);
        }
    }

    private final List<Integer> inFlight;
    private final double forwardMs;
    private final double backwardMs;
    private final double bufferMs;
    private final List<Choice> choices;

    /**
     * @param forwardMs forward time of a layer
     * @param backwardMs backward time of a layer, without recomputation
     * @param bufferMs link time of the copies that may be under way when a layer begins
     * @param choices what each layer may do, at least one
     */
    public StageOptimum(StagePlace place, double forwardMs, double backwardMs, double bufferMs, List<Choice> choices) {
        if (choices.isEmpty()) {
            throw new IllegalArgumentException("a layer needs something to do");
        }
        this.inFlight = place.inFlightByLayer();
        this.forwardMs = forwardMs;
        this.backwardMs = backwardMs;
        this.bufferMs = bufferMs;
        this.choices = worthwhile(choices);
    }

    /** Those that no other one beats in everything; of equal ones the first. */
    private static List<Choice> worthwhile(List<Choice> all) {
        List<Choice> kept = new ArrayList<>();
        for (Choice each : all) {
            if (kept.stream().noneMatch(other -> other.asGoodAs(each))) {
                kept.removeIf(each::asGoodAs);
                kept.add(each);
            }
        }
        return List.copyOf(kept);
    }

    /** An assignment of the first layers. */
    private record Partial(
            double memoryMb, double timeMs, double queuedOutMs, double queuedInMs, Choice last, Partial before) {
        /** Time when the pass ended here. */
        double endedMs() {
            return timeMs + queuedOutMs + queuedInMs;
        }

        boolean dominates(Partial other) {
            return memoryMb <= other.memoryMb + ROUNDING
                    && timeMs
                                    + Math.max(0, queuedOutMs - other.queuedOutMs)
                                    + Math.max(0, queuedInMs - other.queuedInMs)
                            <= other.timeMs + ROUNDING;
        }
    }

    /**
     * The fastest assignment within a budget in MiB; empty when none fits, or when none was found within the limit of the
     * search.
     */
    public Optional<Solution> solve(double budgetMb) {
        return solve(budgetMb, FEW_PARTIALS, MOST_PARTIALS);
    }

    /** The same with other limits of partial assignments a layer. */
    Optional<Solution> solve(double budgetMb, int few, int most) {
        double leanest = choices.stream()
                .mapToDouble(each -> each.combination().memoryMb())
                .min()
                .orElseThrow();
        double[] leastAfter = new double[inFlight.size() + 1];
        for (int i = inFlight.size() - 1; i >= 0; i--) {
            leastAfter[i] = leastAfter[i + 1] + inFlight.get(i) * leanest;
        }
        Optional<Solution> quick = search(budgetMb, leastAfter, few, Double.POSITIVE_INFINITY);
        if (quick.map(Solution::proven).orElse(false)) {
            return quick;
        }
        double known = quick.map(Solution::timeMs).orElse(Double.POSITIVE_INFINITY);
        Optional<Solution> thorough = search(budgetMb, leastAfter, most, known + ROUNDING);
        return thorough.isPresent() ? thorough : quick;
    }

    private Optional<Solution> search(double budgetMb, double[] leastAfter, int mostPartials, double knownMs) {
        List<Partial> front = List.of(new Partial(0, 0, 0, 0, null, null));
        double cutMs = Double.POSITIVE_INFINITY;
        for (int i = 0; i < inFlight.size(); i++) {
            List<Partial> next = new ArrayList<>();
            for (Partial each : front) {
                for (Choice choice : choices) {
                    Partial longer = extended(each, choice, inFlight.get(i));
                    if (longer.memoryMb + leastAfter[i + 1] <= budgetMb + ROUNDING && longer.timeMs <= knownMs) {
                        next.add(longer);
                    }
                }
            }
            front = undominated(next);
            if (front.size() > mostPartials) {
                List<Partial> kept = thinned(front, mostPartials);
                Set<Partial> stays = Collections.newSetFromMap(new IdentityHashMap<>());
                stays.addAll(kept);
                for (Partial each : front) {
                    cutMs = stays.contains(each) ? cutMs : Math.min(cutMs, each.timeMs);
                }
                front = kept;
            }
        }
        double cut = cutMs;
        return front.stream()
                .min(Comparator.comparingDouble(Partial::endedMs).thenComparingDouble(Partial::memoryMb))
                .map(best -> new Solution(
                        follow(best),
                        best.memoryMb,
                        best.endedMs(),
                        best.endedMs() <= cut,
                        Math.min(best.endedMs(), cut)));
    }

    /** Time that an assignment adds to one micro-batch, ms: what {@link #solve} makes least. */
    public double timeMs(List<Choice> layers) {
        Partial partial = new Partial(0, 0, 0, 0, null, null);
        for (int i = 0; i < layers.size(); i++) {
            partial = extended(partial, layers.get(i), inFlight.get(i));
        }
        return partial.endedMs();
    }

    private Partial extended(Partial before, Choice choice, int times) {
        double waitOut = Math.max(0, before.queuedOutMs - bufferMs);
        double waitIn = Math.max(0, before.queuedInMs - bufferMs);
        double added = choice.combination().timeMs();
        return new Partial(
                before.memoryMb + times * choice.combination().memoryMb(),
                before.timeMs + waitOut + waitIn + added,
                Math.max(0, before.queuedOutMs - waitOut - forwardMs) + choice.copyMs(),
                Math.max(0, before.queuedInMs - waitIn - backwardMs - added) + choice.copyMs(),
                choice,
                before);
    }

    private static List<Partial> undominated(List<Partial> all) {
        all.sort(Comparator.comparingDouble(Partial::memoryMb).thenComparingDouble(Partial::timeMs));
        return Undominated.of(all, Partial::dominates);
    }

    /** Spread evenly over memory, both ends kept: the leanest so that something fits. */
    private static List<Partial> thinned(List<Partial> front, int most) {
        List<Partial> kept = new ArrayList<>(most);
        for (int i = 0; i < most; i++) {
            kept.add(front.get((int) ((long) i * (front.size() - 1) / (most - 1))));
        }
        return kept;
    }

    private static List<Choice> follow(Partial best) {
        List<Choice> backwards = new ArrayList<>();
        for (Partial at = best; at.before != null; at = at.before) {
            backwards.add(at.last);
        }
        Collections.reverse(backwards);
        return backwards;
    }
}
