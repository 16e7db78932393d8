package dev.lacuna.core.planning.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.PlanningTerms;
import dev.lacuna.core.planning.ProfilesForTests;
import dev.lacuna.core.planning.graph.GraphPlanners;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.kernel.KernelTrace;
import dev.lacuna.core.planning.swap.kernel.SwapMachine;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlanningMethodsTest {
    private static final Set<String> GRAPHS_ONLY = Set.of("retention", "dtr-msps");

    private static ParetoCurve curve(PlanningProfile profile, int budgets) {
        return ParetoCurve.of(
                profile,
                PlanningMethods.suited(profile),
                ParetoCurve.budgets(profile, budgets),
                PlanningTerms.of(PlanningEffort.QUICK, () -> false),
                point -> {},
                next -> {});
    }

    @Test
    void a_planner_has_one_id_everywhere_and_two_methods_never_share_one() {
        List<String> ids = PlanningMethods.ids();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(GraphPlanners.all())
                .extracting(GraphPlanner::id)
                .doesNotHaveDuplicates()
                .isSubsetOf(ids);
        assertThat(AdaptiveMethods.all())
                .extracting(AdaptiveMethod::id)
                .doesNotHaveDuplicates()
                .isSubsetOf(ids);
    }

    @Test
    void no_method_needs_more_than_its_budget() {
        Random random = new Random(7);
        for (int i = 0; i < 40; i++) {
            for (PlanPoint.Planned point :
                    curve(ProfilesForTests.random(random), 6).planned()) {
                assertThat(point.peakBytes()).isLessThanOrEqualTo(point.budgetBytes());
                assertThat(point.overhead()).isGreaterThanOrEqualTo(1 - 1e-9);
            }
        }
    }

    @Test
    void no_method_gets_slower_with_more_memory() {
        Random random = new Random(8);
        for (int i = 0; i < 30; i++) {
            ParetoCurve curve = curve(ProfilesForTests.random(random), 8);
            for (PlanningMethod method : PlanningMethods.all()) {
                List<Double> overheads = curve.planned().stream()
                        .filter(point -> point.method().equals(method.id()))
                        .map(PlanPoint.Planned::overhead)
                        .toList();
                assertThat(overheads).isSortedAccordingTo((one, other) -> Double.compare(other, one));
            }
        }
    }

    @Test
    void the_best_is_never_slower_than_recomputing_everything_where_that_fits() {
        Random random = new Random(9);
        for (int i = 0; i < 40; i++) {
            ParetoCurve curve = curve(ProfilesForTests.random(random), 6);
            curve.planned().stream()
                    .filter(point -> point.method().equals("full"))
                    .forEach(full -> assertThat(curve.fastestWithin(full.budgetBytes())
                                    .orElseThrow()
                                    .overhead())
                            .isLessThanOrEqualTo(full.overhead()));
        }
    }

    /** Chains, what a live process measures, and modules within a layer: all that is not for graphs alone. */
    @Test
    void every_method_keeps_its_budget_and_gets_no_slower_with_more() throws Exception {
        Random random = new Random(11);
        Set<String> planned = new TreeSet<>();
        for (int i = 0; i < 15; i++) {
            for (PlanningProfile profile : List.of(
                    ProfilesForTests.random(random),
                    ProfilesForTests.randomLayers(random),
                    ProfilesForTests.modules(random))) {
                Map<String, Double> before = new HashMap<>();
                ParetoCurve curve = curve(profile, 5);
                for (PlanPoint.Planned point : curve.planned()) {
                    planned.add(point.method());
                    assertThat(point.peakBytes()).isBetween(0L, point.budgetBytes());
                    assertThat(point.overhead())
                            .as(point.method())
                            .isBetween(1 - 1e-9, before.getOrDefault(point.method(), Double.MAX_VALUE));
                    before.put(point.method(), point.overhead());
                }
                curve.planned().stream()
                        .filter(point -> point.method().equals("full"))
                        .forEach(full -> assertThat(curve.fastestWithin(full.budgetBytes())
                                        .orElseThrow()
                                        .overhead())
                                .isLessThanOrEqualTo(full.overhead()));
            }
        }
        assertThat(PlanningMethods.all())
                .extracting(PlanningMethod::id)
                .filteredOn(id -> !GRAPHS_ONLY.contains(id))
                .allMatch(planned::contains);
    }

    @Test
    void everything_is_kept_where_everything_fits() {
        PlanningProfile.Chain chain = ProfilesForTests.chain(12);
        PlanPoint point =
                PlanningMethods.of("layerwise").orElseThrow().plan(chain, chain.plainPeakBytes(), PlanningEffort.USUAL);
        assertThat(((PlanPoint.Planned) point).overhead()).isEqualTo(1);
        assertThat(((PlanPoint.Planned) point).proven()).isTrue();
    }

    @Test
    void the_least_that_is_tried_is_below_what_any_plan_needs() {
        Random random = new Random(10);
        for (int i = 0; i < 40; i++) {
            PlanningProfile.Chain chain = ProfilesForTests.random(random);
            for (PlanningMethod method : PlanningMethods.suited(chain)) {
                assertThat(method.plan(chain, chain.leastBytes() - 1, PlanningEffort.QUICK))
                        .as(method.id())
                        .isInstanceOf(PlanPoint.Failed.class);
            }
        }
    }

    @Test
    void a_pipeline_counts_what_waiting_micro_batches_keep() {
        PlanningProfile.Chain alone = ProfilesForTests.chain(12);
        PlanningProfile.Chain four = new PlanningProfile.Chain(alone.chain(), 1_000, 4);
        PlanPoint.Planned planned = (PlanPoint.Planned)
                PlanningMethods.of("layerwise").orElseThrow().plan(four, 22_000, PlanningEffort.USUAL);
        int recomputed = ((PlannedChoice.Chain) planned.choice()).plan().recomputations();
        // 12 layers of 800 bytes four times would be 38,400; recomputing one leaves 100 of 800.
        assertThat(recomputed).isEqualTo(7);
        assertThat(planned.peakBytes()).isBetween(20_000L, 22_000L);
    }

    @Test
    void a_method_that_does_not_apply_says_why_in_both_languages() {
        for (Reason reason : Reason.values()) {
            PlanFailure failure = new PlanFailure(reason, List.of());
            assertThat(failure.text(Locale.ENGLISH)).isNotBlank();
            assertThat(failure.text(Locale.SIMPLIFIED_CHINESE)).isNotEqualTo(failure.text(Locale.ENGLISH));
        }
        for (PlanningMethod method : PlanningMethods.all()) {
            assertThat(method.title(Locale.ENGLISH)).isNotBlank();
            assertThat(method.title(Locale.SIMPLIFIED_CHINESE)).isNotEqualTo(method.title(Locale.ENGLISH));
        }
    }

    @Test
    void measured_layers_are_planned_with_swap_and_as_a_chain() {
        PlanningProfile.Layers layers = ProfilesForTests.layers(12);
        ParetoCurve curve = curve(layers, 5);
        assertThat(curve.planned())
                .extracting(PlanPoint.Planned::method)
                .contains("lacuna", "chen-sqrt", "full", "capuchin", "mindspeed");
        PlanPoint.Planned all = curve.fastestWithin(layers.plainPeakBytes()).orElseThrow();
        assertThat(all.overhead()).isEqualTo(1);
        assertThat(PlanningMethods.of("dtr").orElseThrow().plan(layers, 1, PlanningEffort.QUICK))
                .isInstanceOf(PlanPoint.Failed.class);
    }

    @Test
    void the_undominated_points_fall_from_left_to_right() {
        List<PlanPoint.Planned> front = curve(ProfilesForTests.chain(16), 10).undominated();
        assertThat(front).hasSizeGreaterThan(3);
        for (int i = 1; i < front.size(); i++) {
            assertThat(front.get(i).peakBytes()).isGreaterThan(front.get(i - 1).peakBytes());
            assertThat(front.get(i).overhead()).isLessThan(front.get(i - 1).overhead());
        }
    }

    @Test
    void runtimes_with_shortcuts_are_asked_by_name_only() {
        assertThat(PlanningMethods.all()).extracting(PlanningMethod::id).contains("free-neighbours");
        assertThat(PlanningMethods.all()).extracting(PlanningMethod::id).doesNotContain("dtr+small");
        assertThat(PlanningMethods.ids()).contains("dtr+small", "coop+sample", "free-neighbours+both");
        PlanningProfile chain = ProfilesForTests.chain(9);
        for (String id : List.of("dtr", "dtr+small", "dtr+sample", "dtr+both", "free-neighbours")) {
            PlanPoint point =
                    PlanningMethods.of(id).orElseThrow().plan(chain, chain.plainPeakBytes(), PlanningEffort.USUAL);
            assertThat(point).isInstanceOf(PlanPoint.Planned.class);
            assertThat(point.method()).isEqualTo(id);
        }
        assertThat(PlanningMethods.of("dtr+none")).isEmpty();
        assertThat(PlanningMethods.of("lacuna+small")).isEmpty();
    }

    @Test
    void every_kernel_of_a_step_can_be_planned_for() {
        PlanningProfile.Kernels kernels = new PlanningProfile.Kernels(
                new KernelTrace(
                        "two",
                        List.of(
                                new KernelTrace.Kernel("Forward", 1_000_000, List.of(0, 1)),
                                new KernelTrace.Kernel("Middle", 900_000_000, List.of(2)),
                                new KernelTrace.Kernel("Backward", 1_000_000, List.of(0, 1))),
                        List.of(
                                new KernelTrace.Tensor(100_000_000, true),
                                new KernelTrace.Tensor(100_000_000, false),
                                new KernelTrace.Tensor(100_000_000, false))),
                SwapMachine.G10);
        assertThat(kernels.plainPeakBytes()).isEqualTo(300_000_000);
        assertThat(kernels.leastBytes()).isEqualTo(200_000_000);
        for (String id : List.of("lacuna", "capuchin", "vdnn", "size", "lru")) {
            PlanningMethod method = PlanningMethods.of(id).orElseThrow();
            assertThat(method.unsuited(kernels)).isEmpty();
            assertThat(method.plan(kernels, 300_000_000, PlanningEffort.USUAL)).isInstanceOf(PlanPoint.Planned.class);
            assertThat(method.plan(kernels, 199_999_999, PlanningEffort.USUAL)).isInstanceOf(PlanPoint.Failed.class);
        }
        assertThat(PlanningMethods.of("layerwise").orElseThrow().unsuited(kernels))
                .isPresent();
    }
}
