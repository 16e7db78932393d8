package dev.lacuna.core.planning.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.graph.checkpoint.EvenBytes;
import dev.lacuna.core.planning.graph.checkpoint.EveryNth;
import dev.lacuna.core.planning.graph.checkpoint.KeepAll;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphPlanner;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphRun;
import dev.lacuna.core.planning.graph.model.GraphStep;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import dev.lacuna.core.planning.graph.retention.MomentBound;
import dev.lacuna.core.planning.graph.retention.RetentionPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What holds for planners of graphs, on graphs so small that the best schedule of all can be found by trying. */
class GraphPlannersTest {
    // Where a search of limited effort has to find the very best, the seed is fixed: a test must not fail one night in
    // many.
    private static final SolverEffort SHORT = new SolverEffort(60_000, 200);
    /** A tenth of it misses the only schedules that fit on 6 of 300 graphs, this on none. */
    private static final SolverEffort ENOUGH = new SolverEffort(600_000, 200);

    @Property(tries = 60)
    void every_plan_keeps_its_budget_and_none_undercuts_the_cheapest_run(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 2 + random.nextInt(3));
        long budget = budget(random, graph);
        OptionalLong cheapest = CheapestRun.cost(graph, budget, false);
        for (GraphPlanner planner : GraphPlanners.all()) {
            Optional<GraphPlan> plan = planner.plan(graph, budget, SHORT);
            plan.ifPresent(each -> {
                GraphRun run = new GraphRun(graph, each.steps());
                assertThat(run.peakBytes()).isEqualTo(each.peakBytes()).isLessThanOrEqualTo(budget);
                assertThat(run.cost()).isEqualTo(each.cost());
                assertThat(each.cost()).isGreaterThanOrEqualTo(cheapest.orElseThrow());
                assertThat(each.lowerBoundCost()).isLessThanOrEqualTo(cheapest.orElseThrow());
            });
        }
    }

    @Property(tries = 60, seed = "7")
    void retention_finds_the_cheapest_run_in_stages_of_small_graphs(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 2 + random.nextInt(3));
        long budget = budget(random, graph);
        OptionalLong cheapest = CheapestRun.cost(graph, budget, true);
        Optional<GraphPlan> plan = new RetentionPlanner().plan(graph, budget, ENOUGH);
        assertThat(plan.map(GraphPlan::cost))
                .isEqualTo(cheapest.isPresent() ? Optional.of(cheapest.getAsLong()) : Optional.empty());
    }

    @Property(tries = 40)
    void bounds_of_single_moments_hold(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 2 + random.nextInt(3));
        long budget = budget(random, graph);
        CheapestRun.cost(graph, budget, false).ifPresent(cheapest -> {
            MomentBound bound = new MomentBound(graph, budget, Patience.endless());
            assertThat(bound.cost()).isLessThanOrEqualTo(cheapest);
            bound.schedules(100, Patience.endless());
            assertThat(bound.cost()).isLessThanOrEqualTo(cheapest);
            assertThat(bound.cost(Long.MAX_VALUE >> 1, 3, Patience.endless())).isLessThanOrEqualTo(cheapest);
            assertThat(bound.cost(cheapest + 7, 100, Patience.endless())).isLessThanOrEqualTo(cheapest);
        });
    }

    @Property(tries = 15)
    void retention_is_never_dearer_than_the_simple_planners(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 12 + random.nextInt(10));
        long budget = budget(random, graph);
        Optional<GraphPlan> best = new RetentionPlanner().plan(graph, budget, new SolverEffort(2_000, 20));
        for (GraphPlanner simple : List.of(new KeepAll(), new EveryNth(), new EvenBytes())) {
            simple.plan(graph, budget, SHORT)
                    .ifPresent(plan -> assertThat(best.orElseThrow().cost()).isLessThanOrEqualTo(plan.cost()));
        }
    }

    @Property(tries = 15, seed = "7")
    void more_memory_never_costs_more(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 4);
        List<Long> costs = new ArrayList<>();
        for (long budget = graph.largestWorkingSet(); budget <= graph.peakWithoutRecomputation(); budget++) {
            new RetentionPlanner().plan(graph, budget, ENOUGH).ifPresent(plan -> costs.add(-plan.cost()));
        }
        assertThat(costs).isSorted();
        assertThat(costs).last().isEqualTo(-graph.baseCost());
    }

    @Test
    void same_effort_gives_the_same_plan_again() {
        GraphProfile graph = Graphs.training(new Random(5), 20);
        long budget = (graph.largestWorkingSet() + graph.peakWithoutRecomputation()) / 2;
        assertThat(new RetentionPlanner().plan(graph, budget, SHORT))
                .isPresent()
                .isEqualTo(new RetentionPlanner().plan(graph, budget, SHORT));
    }

    @Test
    void a_further_solver_is_believed_only_as_far_as_its_schedule_runs() {
        GraphProfile graph = Graphs.training(new Random(5), 20);
        long budget = (graph.largestWorkingSet() + graph.peakWithoutRecomputation()) / 2;
        List<GraphStep> tooLarge = StageSchedule.withoutRecomputation(graph).steps();
        ExactGraphSolver boasting =
                answering("boasting", new ExactGraphSolver.Answer(graph.baseCost(), Optional.of(tooLarge)));
        SolverEffort little = new SolverEffort(2_000, 1);
        assertThat(new RetentionPlanner(List.of(boasting)).plan(graph, budget, little))
                .isEqualTo(new RetentionPlanner().plan(graph, budget, little));
    }

    @Test
    void a_plan_tells_which_solver_found_it_and_which_proved_it() {
        GraphProfile graph = Graphs.training(new Random(5), 6);
        long budget = graph.peakWithoutRecomputation() - 1;
        SolverEffort none = new SolverEffort(0, 0);
        GraphPlan own = new RetentionPlanner().plan(graph, budget, none).orElseThrow();
        assertThat(own.proven()).isFalse();
        assertThat(own.scheduleBy()).isEqualTo(GraphPlan.OWN);
        assertThat(own.boundBy()).isEqualTo(GraphPlan.OWN);
        ExactGraphSolver proving =
                answering("proving", new ExactGraphSolver.Answer(own.lowerBoundCost() + 1, Optional.empty()));
        GraphPlan raised =
                new RetentionPlanner(List.of(proving)).plan(graph, budget, none).orElseThrow();
        assertThat(raised.scheduleBy()).isEqualTo(GraphPlan.OWN);
        assertThat(raised.boundBy()).isEqualTo("proving");
    }

    private static ExactGraphSolver answering(String name, ExactGraphSolver.Answer answer) {
        return new ExactGraphSolver() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Answer solve(
                    GraphProfile graph,
                    long budgetBytes,
                    Optional<GraphPlan> known,
                    SolverEffort effort,
                    Patience patience) {
                return answer;
            }
        };
    }

    private static long budget(Random random, GraphProfile graph) {
        long least = graph.largestWorkingSet();
        long most = Math.max(least, graph.peakWithoutRecomputation());
        return least + (long) (random.nextDouble() * (most - least));
    }
}
