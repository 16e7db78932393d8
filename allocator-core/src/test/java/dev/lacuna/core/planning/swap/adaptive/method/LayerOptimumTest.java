package dev.lacuna.core.planning.swap.adaptive.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.swap.adaptive.Profiles;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun;
import dev.lacuna.core.planning.swap.adaptive.step.StepSimulator;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
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

    @Test
    void swaps_and_recomputes_no_layer_that_could_be_kept_in_the_same_time() {
        Random random = new Random(7);
        int fewerMoved = 0;
        for (int round = 0; round < 200; round++) {
            LayerProfile profile = Profiles.random(random, 1 + random.nextInt(9), random.nextInt(3) == 0);
            long limit = limitFor(profile, random);
            StepSimulator simulator = new StepSimulator(profile);
            AdaptivePlan plan = optimum.plan(profile, limit);
            if (!plan.fits()) {
                continue;
            }
            List<LayerAction> actions = plan.policy().actions();
            for (int layer = 0; layer < actions.size(); layer++) {
                if (actions.get(layer) != LayerAction.KEEP) {
                    List<LayerAction> kept = new ArrayList<>(actions);
                    kept.set(layer, LayerAction.KEEP);
                    StepRun run = simulator.run(new LayerPolicy(kept), limit);
                    assertThat(!run.fits() || run.stepNs() > plan.stepNs())
                            .as(
                                    "round %d, layer %d of %s",
                                    round, layer, plan.policy().letters())
                            .isTrue();
                    fewerMoved++;
                }
            }
        }
        assertThat(fewerMoved).as("layers that had to be moved").isPositive();
    }

    @Test
    void of_equally_fast_plans_takes_the_one_that_copies_less() {
        // The copy of any one layer is hidden; the limit asks for one of them, the small one will do.
        LayerProfile profile = Profiles.of(
                0,
                Profiles.layer(100, 100, 10, 10, 1),
                Profiles.layer(100, 100, 90, 90, 1),
                Profiles.layer(100, 100, 40, 40, 1),
                Profiles.layer(100, 100, 10, 10, 1));

        AdaptivePlan plan = optimum.plan(profile, 140);

        assertThat(plan.stepNs()).isEqualTo(800);
        assertThat(plan.proven()).isTrue();
        assertThat(plan.policy().letters()).isEqualTo("SKKK");
        assertThat(optimum.plan(profile, 150).policy().letters()).isEqualTo("KKKK");
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
