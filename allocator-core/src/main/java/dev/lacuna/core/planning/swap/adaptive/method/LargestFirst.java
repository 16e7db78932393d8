package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Sends away the layers that keep most, one more until the step fits; of equal ones the earliest. */
public final class LargestFirst implements AdaptiveMethod {
    @Override
    public String id() {
        return "size";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerCosts costs = new LayerCosts(profile);
        StepSimulator simulator = new StepSimulator(costs);
        List<LayerAction> actions = new ArrayList<>(Collections.nCopies(costs.count(), LayerAction.KEEP));
        List<Integer> order = IntStream.range(0, costs.count())
                .filter(costs::canSwap)
                .boxed()
                .sorted(Comparator.comparingLong(costs::savedBytes).reversed())
                .toList();
        LayerPolicy policy = new LayerPolicy(actions);
        StepRun run = simulator.run(policy, limitBytes);
        for (int i = 0; i < order.size() && !run.fits() && !patience.isOver(); i++) {
            actions.set(order.get(i), LayerAction.SWAP);
            policy = new LayerPolicy(actions);
            run = simulator.run(policy, limitBytes);
        }
        return AdaptivePlan.of(id(), costs, run, policy);
    }
}
