package dev.lacuna.core.planning.swap.adaptive.method;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.swap.adaptive.step.LayerCosts;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;

/**
 * All layers alike: keep all, recompute all, or, as vDNN does (Rhu et al., MICRO 2016), send away all that backward reads
 * again. A layer that cannot do it keeps all.
 */
public record UniformMethod(String id, LayerAction action) implements AdaptiveMethod {
    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerPolicy policy = LayerPolicy.all(action, profile.layers().size());
        LayerCosts costs = new LayerCosts(profile);
        return AdaptivePlan.of(id, costs, new StepSimulator(costs).run(policy, limitBytes), policy);
    }
}
