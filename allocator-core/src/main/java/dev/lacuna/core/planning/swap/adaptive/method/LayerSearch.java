package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.PassState;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.stage.Undominated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The fastest policy within a limit, by a dynamic programme over the layers that keeps every beginning no other one
 * dominates.
 *
 * <p>A beginning is what the first layers do. Both passes are planned at once, the backward one from its end, so that
 * each layer is looked at once. One beginning dominates another when it holds no more bytes and, even after idling in
 * each pass until nothing of what it has on the link is worse, is no later: whatever follows the other could follow it.
 * A beginning is also dropped when a bound says that it cannot become faster than what is known. Both drop nothing that
 * is better, so the result is optimal; only when more than {@code mostKept} are left, the least promising go, and their
 * bound is what is proven.
 */
final class LayerSearch {
    private final LayerCosts costs;
    private final long limitBytes;
    private final int mostKept;
    private final RemainderBound remainder;
    private final Patience patience;
    private long bestNs;
    private long droppedNs = Long.MAX_VALUE;

    /**
     * What was found.
     *
     * @param policy empty when nothing is faster than what was known
     * @param boundNs no policy makes the passes faster than that
     */
    record Found(Optional<LayerPolicy> policy, long boundNs) {}

    private record Beginning(
            long heldBytes, PassState forward, PassState reversed, long boundNs, LayerAction last, Beginning before) {
        long nowNs() {
            return forward.nowNs() + reversed.nowNs();
        }

        boolean dominates(Beginning other) {
            long slack = other.heldBytes - heldBytes;
            return slack >= 0
                    && nowNs() <= other.nowNs()
                    && nowNs() + forward.behindNs(other.forward, slack) + reversed.behindNs(other.reversed, slack)
                            <= other.nowNs();
        }
    }

    /** @param knownNs time of both passes of a policy that fits; policies that are no faster are not looked for */
    LayerSearch(LayerCosts costs, long limitBytes, int mostKept, long knownNs, Patience patience) {
        this.patience = patience;
        this.costs = costs;
        this.limitBytes = limitBytes;
        this.mostKept = mostKept;
        this.remainder = new RemainderBound(costs, limitBytes);
        this.bestNs = knownNs;
    }

    Found solve() {
        List<Beginning> front =
                List.of(new Beginning(costs.otherBytes(), PassState.START, PassState.START, 0, LayerAction.KEEP, null));
        for (int i = 0; i < costs.count(); i++) {
            front = undominated(longer(front, i));
            if (patience.isOver()) {
                // What is left can become no faster than its bound; nor can what was dropped before.
                front.forEach(each -> droppedNs = Math.min(droppedNs, each.boundNs));
                return new Found(Optional.empty(), Math.min(bestNs, droppedNs));
            }
            if (front.size() > mostKept) {
                front = thinned(front);
            }
        }
        Optional<Beginning> best = front.stream()
                .filter(each -> endNs(each) < bestNs)
                .min(Comparator.comparingLong(LayerSearch::endNs).thenComparingLong(Beginning::heldBytes));
        best.ifPresent(each -> bestNs = endNs(each));
        return new Found(best.map(LayerSearch::follow), Math.min(bestNs, droppedNs));
    }

    private static long endNs(Beginning whole) {
        return whole.forward.drainedNs() + whole.reversed.drainedNs();
    }

    private List<Beginning> longer(List<Beginning> front, int layer) {
        List<Beginning> longer = new ArrayList<>(3 * front.size());
        for (Beginning each : front) {
            extend(each, layer, LayerAction.KEEP, longer);
            if (costs.canSwap(layer)) {
                extend(each, layer, LayerAction.SWAP, longer);
            }
            if (costs.canRecompute(layer)) {
                extend(each, layer, LayerAction.RECOMPUTE, longer);
            }
        }
        return longer;
    }

    private void extend(Beginning before, int layer, LayerAction action, List<Beginning> into) {
        long free = limitBytes - before.heldBytes;
        long room = free - costs.forwardBytes(layer, action);
        long roomBack = free - costs.backwardBytes(layer, action);
        if (room < 0 || roomBack < 0) {
            return;
        }
        PassState forward = costs.forward(before.forward, layer, action, room);
        PassState reversed = costs.reversed(before.reversed, layer, action, roomBack);
        long held = before.heldBytes + costs.heldBytes(layer, action);
        long bound = remainder.leastNs(layer + 1, held, forward, reversed);
        if (bound < bestNs) {
            into.add(new Beginning(held, forward, reversed, bound, action, before));
        }
    }

    private static List<Beginning> undominated(List<Beginning> all) {
        all.sort(Comparator.comparingLong(Beginning::heldBytes).thenComparingLong(Beginning::nowNs));
        return Undominated.of(all, Beginning::dominates);
    }

    /** The most promising; the leanest stays, so that something fits. */
    private List<Beginning> thinned(List<Beginning> front) {
        Beginning leanest = front.get(0);
        List<Beginning> ranked = new ArrayList<>(front);
        ranked.sort(Comparator.comparingLong(Beginning::boundNs).thenComparingLong(Beginning::heldBytes));
        List<Beginning> dropped = ranked.subList(mostKept, ranked.size());
        for (Beginning each : dropped) {
            if (each != leanest) {
                droppedNs = Math.min(droppedNs, each.boundNs);
            }
        }
        List<Beginning> kept = new ArrayList<>(ranked.subList(0, mostKept));
        if (!kept.contains(leanest)) {
            kept.add(leanest);
        }
        return kept;
    }

    private static LayerPolicy follow(Beginning whole) {
        List<LayerAction> actions = new ArrayList<>();
        for (Beginning at = whole; at.before != null; at = at.before) {
            actions.add(at.last);
        }
        Collections.reverse(actions);
        return new LayerPolicy(actions);
    }
}
