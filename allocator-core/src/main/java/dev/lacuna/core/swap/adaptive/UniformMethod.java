package dev.lacuna.core.swap.adaptive;

import dev.lacuna.core.patience.Patience;
import dev.lacuna.core.swap.layer.LayerAction;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.core.swap.layer.LayerProfile;

/**
 * All layers alike: keep all, recompute all, or, as vDNN does (Rhu et al., MICRO 2016), send away all that backward reads
 * again. A layer that cannot do it keeps all.
 */
record UniformMethod(String name, LayerAction action) implements AdaptiveMethod {
    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes, Patience patience) {
        LayerPolicy policy = LayerPolicy.all(action, profile.layers().size());
        LayerCosts costs = new LayerCosts(profile);
        return AdaptivePlan.of(name, costs, new StepSimulator(costs).run(policy, limitBytes), policy);
    }
}
