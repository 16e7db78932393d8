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
import java.util.List;

/**
 * When there is no room, what was used longest ago leaves, and comes back when it is read; the device waits for both. That
 * is what Capuchin does before it has measured anything (its passive mode).
 */
public final class LeastRecentlyUsed implements AdaptiveMethod {
    @Override
    public String id() {
        return "lru";
    }

    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerCosts costs = new LayerCosts(profile);
        LayerPolicy all = LayerPolicy.all(LayerAction.SWAP, costs.count());
        StepRun run = new StepSimulator(costs).runOnDemand(all, limitBytes);
        List<LayerAction> actions = new ArrayList<>(Collections.nCopies(costs.count(), LayerAction.KEEP));
        run.copies().forEach(each -> actions.set(each.layer(), LayerAction.SWAP));
        return AdaptivePlan.of(id(), costs, run, new LayerPolicy(actions));
    }
}
