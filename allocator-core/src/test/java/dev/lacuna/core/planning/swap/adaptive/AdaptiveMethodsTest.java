package dev.lacuna.core.planning.swap.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.adaptive.method.LayerOptimum;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AdaptiveMethodsTest {
    @Test
    void no_plan_that_fits_is_above_the_limit_or_below_the_bound_of_ours() {
        Random random = new Random(60);
        for (int round = 0; round < 300; round++) {
            LayerProfile profile = Profiles.random(random, 1 + random.nextInt(12), random.nextBoolean());
            long limit = profile.otherBytes() + (long) (profile.savedBytes() * (0.1 + random.nextDouble()));
            AdaptivePlan ours = new LayerOptimum().plan(profile, limit);
            for (AdaptiveMethod method : AdaptiveMethods.all()) {
                AdaptivePlan plan = method.plan(profile, limit);

                assertThat(plan.method()).isEqualTo(method.id());
                assertThat(plan.fits()).as("%s, round %d", method.id(), round).isEqualTo(plan.peakBytes() <= limit);
                assertThat(plan.exposedCopyNs()).isNotNegative();
                assertThat(plan.gap()).isNotNegative();
                if (plan.fits()) {
                    assertThat(ours.fits()).isTrue();
                    assertThat(plan.stepNs()).isGreaterThanOrEqualTo(ours.stepNs());
                    assertThat(plan.stepNs()).isGreaterThanOrEqualTo(plan.boundNs());
                }
            }
        }
    }

    @Test
    void more_memory_never_makes_ours_slower() {
        Random random = new Random(61);
        for (int round = 0; round < 40; round++) {
            LayerProfile profile = Profiles.random(random, 1 + random.nextInt(9), round % 2 == 0);
            long before = Long.MAX_VALUE;
            for (int part = 1; part <= 10; part++) {
                AdaptivePlan plan =
                        new LayerOptimum().plan(profile, profile.otherBytes() + profile.savedBytes() * part / 10);
                if (plan.fits()) {
                    assertThat(plan.stepNs()).isLessThanOrEqualTo(before);
                    before = plan.stepNs();
                }
            }
            assertThat(before).isEqualTo(profile.stepNs());
        }
    }

    @Test
    void no_plan_asks_of_a_layer_what_it_cannot_do() {
        Random random = new Random(62);
        List<Set<LayerAction>> kinds = List.of(
                Set.of(LayerAction.KEEP),
                Set.of(LayerAction.KEEP, LayerAction.SWAP),
                Set.of(LayerAction.KEEP, LayerAction.RECOMPUTE),
                Set.of(LayerAction.values()));
        for (int round = 0; round < 200; round++) {
            List<LayerMeasurement> layers = new ArrayList<>();
            for (LayerMeasurement each : Profiles.random(random, 1 + random.nextInt(12), round % 2 == 0)
                    .layers()) {
                layers.add(Profiles.able(each, kinds.get(random.nextInt(kinds.size()))));
            }
            LayerProfile profile = Profiles.of(random.nextInt(20), layers);
            long limit = profile.otherBytes() + (long) (profile.savedBytes() * random.nextDouble());
            for (AdaptiveMethod method : AdaptiveMethods.all()) {
                List<LayerAction> actions = method.plan(profile, limit).policy().actions();
                for (int i = 0; i < layers.size(); i++) {
                    assertThat(layers.get(i).possible()).as(method.id()).contains(actions.get(i));
                }
            }
        }
    }

    @Test
    void a_process_without_layers_keeps_what_it_has() {
        LayerProfile none = Profiles.of(100);

        for (AdaptiveMethod method : AdaptiveMethods.all()) {
            AdaptivePlan plan = method.plan(none, 200);

            assertThat(plan.fits()).as(method.id()).isTrue();
            assertThat(plan.peakBytes()).isEqualTo(100);
            assertThat(plan.policy().actions()).isEmpty();
        }
    }
}
