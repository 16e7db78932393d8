package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.method.PlanFailure.Reason;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

final class PlanningTimeTest {
    private static ParetoCurve curve(
            PlanningProfile profile, Duration limit, LongSupplier clock, List<PlanningProgress> reported) {
        return ParetoCurve.of(
                profile,
                PlanningMethods.suited(profile),
                ParetoCurve.budgets(profile, 5),
                new PlanningTerms(PlanningEffort.USUAL, limit, clock, () -> false),
                point -> {},
                reported::add);
    }

    @Test
    void without_any_time_there_is_a_valid_plan_with_a_bound_that_holds() {
        PlanningProfile.Chain chain = ProfilesForTests.chain(40);
        ParetoCurve whole = curve(chain, Duration.ofHours(1), () -> 0, new ArrayList<>());

        ParetoCurve none = curve(chain, Duration.ZERO, () -> 0, new ArrayList<>());

        assertThat(whole.endedEarly()).isFalse();
        assertThat(none.endedEarly()).isTrue();
        for (long budget : ParetoCurve.budgets(chain, 5)) {
            PlanPoint.Planned point = none.fastestWithin(budget).orElseThrow();
            PlanPoint.Planned best = whole.fastestWithin(budget).orElseThrow();
            assertThat(point.peakBytes()).isLessThanOrEqualTo(budget);
            assertThat(point.overhead()).isGreaterThanOrEqualTo(best.overhead() - 1e-9);
        }
        none.planned().stream()
                .filter(point -> point.method().equals("optimal-chain") && !point.proven())
                .forEach(point -> {
                    assertThat(point.endedEarly()).isTrue();
                    assertThat(point.leastOverhead().orElseThrow())
                            .isLessThanOrEqualTo(whole.fastestWithin(point.budgetBytes())
                                            .orElseThrow()
                                            .overhead()
                                    + 1e-9);
                });
    }

    @Test
    void a_clock_that_runs_ends_searches_but_not_the_answer() {
        PlanningProfile.Layers layers = ProfilesForTests.randomLayers(new Random(2));
        AtomicLong now = new AtomicLong();

        ParetoCurve curve = curve(layers, Duration.ofNanos(5), now::incrementAndGet, new ArrayList<>());

        assertThat(curve.points())
                .hasSize(PlanningMethods.suited(layers).size()
                        * ParetoCurve.budgets(layers, 5).size());
        assertThat(curve.endedEarly()).isTrue();
        for (PlanPoint.Planned point : curve.planned()) {
            assertThat(point.endedEarly() && point.proven()).isFalse();
            assertThat(point.peakBytes()).isLessThanOrEqualTo(point.budgetBytes());
        }
        assertThat(curve.points().stream()
                        .filter(PlanPoint.Failed.class::isInstance)
                        .map(point -> ((PlanPoint.Failed) point).failure().reason()))
                .isSubsetOf(Reason.DOES_NOT_FIT, Reason.OUT_OF_TIME, Reason.THRASHED);
    }

    @Test
    void progress_only_goes_forward_and_names_the_best_so_far() {
        PlanningProfile.Chain chain = ProfilesForTests.chain(12);
        List<PlanningProgress> reported = new ArrayList<>();

        ParetoCurve curve = curve(chain, Duration.ofHours(1), () -> 0, reported);

        assertThat(reported).hasSameSizeAs(curve.points());
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < reported.size(); i++) {
            assertThat(reported.get(i).done()).isEqualTo(i);
            assertThat(reported.get(i).all()).isEqualTo(reported.size());
            assertThat(reported.get(i).method()).isEqualTo(curve.points().get(i).method());
            Optional<PlanPoint.Planned> now = reported.get(i).best();
            double overhead = now.map(PlanPoint.Planned::overhead).orElse(Double.POSITIVE_INFINITY);
            assertThat(overhead).isLessThanOrEqualTo(best);
            best = overhead;
        }
        assertThat(best).isLessThan(Double.POSITIVE_INFINITY);
    }
}
