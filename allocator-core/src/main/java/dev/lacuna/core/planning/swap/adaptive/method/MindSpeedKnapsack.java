package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import dev.lacuna.core.planning.swap.mindspeed.BudgetSearch;
import dev.lacuna.core.planning.swap.mindspeed.CombinationGenerator;
import dev.lacuna.core.planning.swap.mindspeed.LayerCombination;
import dev.lacuna.core.planning.swap.mindspeed.LayerKnapsack;
import dev.lacuna.core.planning.swap.mindspeed.LosslessSwap;
import dev.lacuna.core.planning.swap.mindspeed.ModuleProfile;
import dev.lacuna.core.planning.swap.mindspeed.NoBudgetFitsException;
import dev.lacuna.core.planning.swap.mindspeed.StagePlace;
import dev.lacuna.core.planning.swap.mindspeed.StepOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * MindSpeed's adaptive memory: lossless swap, combinations, knapsack and the search for the budget, each step of the
 * search being a simulated one. It measures one layer and takes the others to be like it; here that is the first one
 * which can be recomputed, as a module with nothing inside. Budgets are whole MiB, as there.
 */
public final class MindSpeedKnapsack implements AdaptiveMethod {
    private static final double MIB = 1 << 20;
    private static final String MODULE = "all";

    @Override
    public String id() {
        return "mindspeed";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerCosts costs = new LayerCosts(profile);
        StepSimulator simulator = new StepSimulator(costs);
        List<Integer> adapted = IntStream.range(0, costs.count())
                .filter(costs::canRecompute)
                .boxed()
                .toList();
        if (adapted.isEmpty()) {
            LayerPolicy keep = LayerPolicy.all(LayerAction.KEEP, costs.count());
            return AdaptivePlan.of(id(), costs, simulator.run(keep, limitBytes), keep);
        }
        int first = adapted.get(0);
        ModuleProfile layer = measured(profile.layers().get(first), costs.copyOutNs(first) / 1e6, costs.canSwap(first));
        List<LayerCombination> candidates =
                new CombinationGenerator().candidates(layer, CombinationGenerator.Filter.EXACT);
        LayerKnapsack knapsack =
                new LayerKnapsack(new StagePlace(1, 1, 0, adapted.size(), 1), candidates.get(0), candidates);
        long kept = costs.otherBytes()
                + IntStream.range(0, costs.count())
                        .filter(i -> !adapted.contains(i))
                        .mapToLong(costs::savedBytes)
                        .sum();
        int deviceMb = (int) Math.min(Integer.MAX_VALUE / 2, limitBytes / (1 << 20));
        int staticMb = (int) Math.min(deviceMb, kept / (1 << 20));
        IntFunction<LayerPolicy> policyOf =
                budget -> policy(knapsack.solve(budget, staticMb).layers(), adapted, costs.count());
        LayerPolicy found =
                searched(new BudgetSearch<>(deviceMb, staticMb, policyOf), policyOf, simulator, limitBytes, patience);
        return AdaptivePlan.of(id(), costs, simulator.run(found, limitBytes), found);
    }

    private static LayerPolicy searched(
            BudgetSearch<LayerPolicy> search,
            IntFunction<LayerPolicy> policyOf,
            StepSimulator simulator,
            long limitBytes,
            Patience patience) {
        LayerPolicy policy = policyOf.apply(search.budgetMb());
        try {
            while (!search.stable() && !patience.isOver()) {
                policy = policyOf.apply(search.budgetMb());
                boolean fits = simulator.run(policy, limitBytes).fits();
                search.stepEnded(fits ? StepOutcome.FINE : new StepOutcome(Long.MAX_VALUE, 1));
            }
        } catch (NoBudgetFitsException e) {
            // Not even the floor runs; the policy of the floor is what is left.
            return policy;
        }
        return policy;
    }

    /** The layer as profiling would show it: what it keeps and its output, which is as large as its input. */
    private static ModuleProfile measured(LayerMeasurement layer, double copyMs, boolean swappable) {
        double input = layer.inputBytes() / MIB;
        double memory = layer.savedBytes() / MIB + input;
        double forwardMs = layer.forwardNs() / 1e6;
        Optional<ModuleProfile.Swap> swap = swappable
                ? Optional.of(new ModuleProfile.Swap(layer.savedBytes() / MIB, Math.max(0, copyMs - forwardMs)))
                : Optional.empty();
        ModuleProfile.Cost cost = new ModuleProfile.Cost(memory, input, input, forwardMs, swap);
        ModuleProfile module = new ModuleProfile(MODULE, Optional.of(cost), false, List.of());
        ModuleProfile whole = new ModuleProfile("0", Optional.of(cost), false, List.of(module));
        LosslessSwap lossless = new LosslessSwap(whole, forwardMs);
        while (!lossless.stable()) {
            lossless.stepEnded(swappable ? Math.max(forwardMs, copyMs) : Double.MAX_VALUE);
        }
        boolean chosen = lossless.swapped().contains(MODULE);
        return new ModuleProfile(
                "0",
                Optional.of(cost),
                false,
                List.of(new ModuleProfile(MODULE, Optional.of(cost), chosen, List.of())));
    }

    private static LayerPolicy policy(List<LayerCombination> layers, List<Integer> adapted, int count) {
        List<LayerAction> actions =
                new ArrayList<>(LayerPolicy.all(LayerAction.KEEP, count).actions());
        for (int i = 0; i < layers.size(); i++) {
            LayerCombination each = layers.get(i);
            LayerAction action = switch (each.kind()) {
                case FULL_RECOMPUTE -> LayerAction.RECOMPUTE;
                case FULL_SWAP -> LayerAction.SWAP;
                case NONE -> LayerAction.KEEP;
                case ADAPTIVE -> each.recompute().isEmpty() ? LayerAction.SWAP : LayerAction.RECOMPUTE;
            };
            actions.set(adapted.get(i), action);
        }
        return new LayerPolicy(actions);
    }
}
