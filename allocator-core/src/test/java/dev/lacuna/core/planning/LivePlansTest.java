package dev.lacuna.core.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans for a running process leave a spare of its limit; plans for a file fill their budget. */
final class LivePlansTest {
    private static final PlanningProfile.Layers MEASURED = ProfilesForTests.layers(12);
    private static final PlanningProfile.Layers LIVE = PlanningProfile.Layers.live(MEASURED.measured());

    private static ParetoCurve curve(PlanningProfile profile, List<Long> budgets) {
        return ParetoCurve.of(
                profile,
                PlanningMethods.suited(profile),
                budgets,
                PlanningTerms.of(PlanningEffort.QUICK, () -> false),
                point -> {},
                next -> {});
    }

    @Test
    void every_plan_for_a_process_leaves_the_spare_whichever_method_made_it() {
        List<Long> budgets = ParetoCurve.budgets(LIVE, 6);

        ParetoCurve curve = curve(LIVE, budgets);

        assertThat(curve.planned()).isNotEmpty().allSatisfy(point -> {
            assertThat(budgets).contains(point.budgetBytes());
            assertThat(point.peakBytes())
                    .as("%s under %d", point.method(), point.budgetBytes())
                    .isLessThanOrEqualTo(LIVE.spare().plannable(point.budgetBytes()));
        });
        assertThat(curve.points()).extracting(PlanPoint::budgetBytes).isSubsetOf(budgets);
    }

    @Test
    void the_largest_budget_worth_trying_keeps_everything_and_its_spare() {
        List<Long> budgets = ParetoCurve.budgets(LIVE, 6);

        long largest = budgets.get(budgets.size() - 1);

        assertThat(largest).isEqualTo(LIVE.spare().limitFor(MEASURED.plainPeakBytes()));
        assertThat(curve(LIVE, List.of(largest)).planned())
                .anyMatch(point -> point.method().equals("lacuna") && point.overhead() == 1);
        assertThat(ParetoCurve.budgets(MEASURED, 6)).last().isEqualTo(MEASURED.plainPeakBytes());
    }

    @Test
    void a_plan_for_a_file_may_fill_its_budget() {
        long all = MEASURED.plainPeakBytes();

        assertThat(curve(MEASURED, List.of(all)).planned()).anyMatch(point -> point.peakBytes() == all);
        assertThat(curve(LIVE, List.of(all)).planned()).noneMatch(point -> point.peakBytes() == all);
    }
}
