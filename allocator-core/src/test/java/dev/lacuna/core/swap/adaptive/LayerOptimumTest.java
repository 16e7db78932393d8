package dev.lacuna.core.swap.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.swap.layer.LayerAction;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.core.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LayerOptimumTest {
    private final LayerOptimum optimum = new LayerOptimum();

    @Test
    void equals_the_best_of_all_policies_on_small_steps() {
        Random random = new Random(6);
        for (int round = 0; round < 400; round++) {
            LayerProfile profile = Profiles.random(random, 1 + random.nextInt(7), random.nextInt(4) == 0);
            long limit = limitFor(profile, random);
            StepSimulator simulator = new StepSimulator(profile);
            long best = Long.MAX_VALUE;
            for (LayerPolicy policy : all(profile.layers().size())) {
                StepRun run = simulator.run(policy, limit);
                if (run.fits()) {
                    assertThat(run.peakBytes()).isLessThanOrEqualTo(limit);
                    best = Math.min(best, run.stepNs());
                }
            }

            AdaptivePlan plan = optimum.plan(profile, limit);

            assertThat(plan.fits()).as("round %d", round).isEqualTo(best < Long.MAX_VALUE);
            if (plan.fits()) {
                assertThat(plan.stepNs()).as("round %d", round).isEqualTo(best);
                assertThat(plan.proven()).isTrue();
            }
        }
    }

    private static long limitFor(LayerProfile profile, Random random) {
        long all = profile.peakAllocatedBytes();
        return profile.otherBytes() + (long) ((all - profile.otherBytes()) * (0.1 + 0.9 * random.nextDouble()));
    }

    private static List<LayerPolicy> all(int layers) {
        List<LayerPolicy> policies = new ArrayList<>();
        for (int code = 0; code < Math.pow(3, layers); code++) {
            List<LayerAction> actions = new ArrayList<>();
            for (int i = 0, rest = code; i < layers; i++, rest /= 3) {
                actions.add(LayerAction.values()[rest % 3]);
            }
            policies.add(new LayerPolicy(actions));
        }
        return policies;
    }
}
