package dev.lacuna.core.swap.adaptive;

import dev.lacuna.core.swap.layer.LayerAction;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.core.swap.layer.LayerProfile;
import java.util.Collections;

/**
 * All layers alike: keep all, recompute all, or, as vDNN does (Rhu et al., MICRO 2016), send away all that backward reads
 * again.
 */
record UniformMethod(String name, LayerAction action) implements AdaptiveMethod {
    @Override
    public AdaptivePlan plan(LayerProfile profile, long limitBytes) {
        LayerPolicy policy =
                new LayerPolicy(Collections.nCopies(profile.layers().size(), action));
        return AdaptivePlan.of(name, new StepSimulator(profile).run(policy, limitBytes), policy);
    }
}
