package dev.lacuna.core.planning.swap.adaptive.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.swap.adaptive.Profiles;
import dev.lacuna.core.planning.swap.adaptive.step.StepRun.Copy;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StepSimulatorTest {
    /** Three layers of 10 ns forward, 20 ns backward, 100 bytes, of which 20 are input; copies take 15 ns each way. */
    private final LayerProfile three = Profiles.of(
            1000,
            Profiles.layer(10, 20, 100, 20, 15),
            Profiles.layer(10, 20, 100, 20, 15),
            Profiles.layer(10, 20, 100, 20, 15));

    @Test
    void a_step_that_keeps_all_takes_its_measured_time_and_peak() {
        StepRun run = run("KKK", 1300);

        assertThat(run.fits()).isTrue();
        assertThat(run.stepNs()).isEqualTo(90);
        assertThat(run.peakBytes()).isEqualTo(1300);
        assertThat(run.memory()).extracting(StepRun.Level::atNs).containsExactly(0L, 10L, 20L, 50L, 70L, 90L);
    }

    @Test
    void recomputing_costs_a_forward_pass_and_keeps_inputs_only() {
        StepRun run = run("RRR", 1160);

        assertThat(run.fits()).isTrue();
        assertThat(run.stepNs()).isEqualTo(120);
        assertThat(run.recomputeNs()).isEqualTo(30);
        assertThat(run.peakBytes()).isEqualTo(1160);
    }

    @Test
    void a_copy_that_other_layers_cover_costs_nothing() {
        StepRun run = run("SKK", 1300);

        assertThat(run.stepNs()).isEqualTo(90);
        assertThat(run.copies()).containsExactly(new Copy(0, true, 10, 25), new Copy(0, false, 55, 70));
        assertThat(run.hiddenCopyNs()).isEqualTo(30);
        assertThat(run.exposedCopyNs()).isZero();
    }

    @Test
    void a_layer_waits_for_room_and_what_comes_back_waits_for_it_too() {
        StepRun run = run("SKK", 1200);

        // Out 10–25; the third layer begins at 25 instead of 20; the way in begins when the third is backward, at 55.
        assertThat(run.fits()).isTrue();
        assertThat(run.copies()).containsExactly(new Copy(0, true, 10, 25), new Copy(0, false, 60, 75));
        assertThat(run.stepNs()).isEqualTo(95);
        assertThat(run.peakBytes()).isEqualTo(1200);
        assertThat(run.exposedCopyNs()).isEqualTo(5);
    }

    @Test
    void the_backward_pass_begins_when_nothing_is_on_its_way_out() {
        StepRun run = run("KKS", 1300);

        assertThat(run.stepNs()).isEqualTo(90 + 15 + 15);
        assertThat(run.exposedCopyNs()).isEqualTo(30);
    }

    @Test
    void says_when_a_layer_finds_no_room() {
        assertThat(run("KKK", 1299).fits()).isFalse();
        assertThat(run("KKK", 1299).peakBytes()).isEqualTo(1300);
        assertThat(run("SSS", 1100).fits()).isTrue();
        assertThat(run("SSS", 1099).fits()).isFalse();
    }

    @Test
    void on_demand_everybody_waits_for_every_copy() {
        StepRun run = new StepSimulator(three).runOnDemand(LayerPolicy.parse("SSS"), 1200);

        assertThat(run.fits()).isTrue();
        assertThat(run.copies()).containsExactly(new Copy(0, true, 20, 35), new Copy(0, false, 85, 100));
        assertThat(run.stepNs()).isEqualTo(120);
        assertThat(run.peakBytes()).isEqualTo(1200);
    }

    @Test
    void what_cannot_be_asked_of_a_layer_leaves_it_as_it_is() {
        LayerMeasurement fixed =
                new LayerMeasurement("embedding", 10, 20, 100, 20, 15, 15, 5, Set.of(LayerAction.KEEP));
        LayerProfile profile = Profiles.of(0, fixed, Profiles.layer(10, 20, 100, 20, 0));

        StepRun run = new StepSimulator(profile).run(LayerPolicy.parse("RS"), 1000);

        assertThat(run.stepNs()).isEqualTo(60);
        assertThat(run.copies()).isEmpty();
        assertThat(run.peakBytes()).isEqualTo(200);
    }

    @Test
    void copies_that_were_never_timed_run_at_the_link_s_rate() {
        LayerProfile profile =
                new LayerProfile(List.of(Profiles.layer(10, 10, 3000, 0, 0)), 50, 3000, 3000, 0, 1_000_000_000);

        StepRun run = new StepSimulator(profile).run(LayerPolicy.parse("S"), 3000);

        assertThat(run.exposedCopyNs()).isEqualTo(6000);
        assertThat(run.stepNs()).isEqualTo(50 + 6000);
    }

    @Test
    void a_policy_of_another_process_is_refused() {
        assertThatThrownBy(() -> run("KK", 1300)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void for_any_policy_more_memory_is_no_slower_and_never_exceeded() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            LayerProfile profile = Profiles.random(random, 1 + random.nextInt(10), round % 3 == 0);
            LayerPolicy policy = new LayerPolicy(profile.layers().stream()
                    .map(each -> LayerAction.values()[random.nextInt(3)])
                    .toList());
            long before = Long.MAX_VALUE;
            for (long limit = profile.otherBytes();
                    limit <= profile.otherBytes() + 2 * profile.savedBytes() + 8;
                    limit++) {
                StepRun run = new StepSimulator(profile).run(policy, limit);
                assertThat(run.fits()).isEqualTo(run.peakBytes() <= limit);
                if (run.fits()) {
                    assertThat(run.stepNs())
                            .as("round %d limit %d", round, limit)
                            .isLessThanOrEqualTo(before);
                    before = run.stepNs();
                }
                assertThat(run.memory().get(run.memory().size() - 1).bytes()).isEqualTo(profile.otherBytes());
            }
        }
    }

    private StepRun run(String policy, long limitBytes) {
        return new StepSimulator(three).run(LayerPolicy.parse(policy), limitBytes);
    }
}
