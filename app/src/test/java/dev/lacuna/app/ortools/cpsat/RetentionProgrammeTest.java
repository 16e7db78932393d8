package dev.lacuna.app.ortools.cpsat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver.Answer;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphRun;
import dev.lacuna.core.planning.graph.model.GraphStep;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import dev.lacuna.core.planning.graph.retention.RetentionPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("dev.lacuna.app.ortools.OrToolsJars#natives")
class RetentionProgrammeTest {
    /** Ten seconds: none of these graphs takes one. */
    private static final SolverEffort AMPLE = new SolverEffort(1_000_000, 0);

    private final ExactGraphSolver solver = new RetentionProgramme();

    @Test
    void finds_and_proves_what_trying_every_schedule_in_stages_finds() {
        Random random = new Random(7);
        int solved = 0;
        int recomputing = 0;
        for (int i = 0; i < 40; i++) {
            GraphProfile graph = training(random, 3);
            long budget = graph.largestWorkingSet() + random.nextInt(6);
            OptionalLong least = leastCost(graph, budget);
            Answer answer = solver.solve(graph, budget, Optional.empty(), AMPLE);
            assertThat(answer.steps().isPresent()).isEqualTo(least.isPresent());
            if (least.isPresent()) {
                GraphRun run = new GraphRun(graph, answer.steps().orElseThrow());
                assertThat(run.peakBytes()).isLessThanOrEqualTo(budget);
                assertThat(run.cost()).isEqualTo(least.getAsLong());
                assertThat(answer.lowerBoundCost()).isEqualTo(least.getAsLong());
                solved++;
                recomputing += run.recomputations() > 0 ? 1 : 0;
            }
        }
        assertThat(solved).isGreaterThan(10);
        assertThat(recomputing).isGreaterThan(5);
    }

    @Test
    @Tag("nightly")
    void closes_the_gap_of_a_poor_plan_and_is_named_for_it() {
        SolverEffort little = new SolverEffort(1_000_000, 0);
        int closed = 0;
        for (int seed = 0; seed < 20; seed++) {
            GraphProfile graph = training(new Random(seed), 9);
            long budget = (2 * graph.largestWorkingSet() + graph.peakWithoutRecomputation()) / 3;
            Optional<GraphPlan> own = new RetentionPlanner().plan(graph, budget, little);
            if (own.isEmpty() || own.get().proven()) {
                continue;
            }
            GraphPlan best = new RetentionPlanner(List.of(solver))
                    .plan(graph, budget, little)
                    .orElseThrow();
            assertThat(best.proven()).isTrue();
            assertThat(best.cost()).isLessThanOrEqualTo(own.get().cost());
            assertThat(List.of(best.boundBy(), best.scheduleBy())).contains("or-tools");
            closed++;
        }
        assertThat(closed).isPositive();
    }

    @Test
    void says_nothing_without_time_without_room_or_of_a_graph_that_is_too_large() {
        GraphProfile graph = training(new Random(3), 4);
        Answer nothing = new Answer(graph.baseCost(), Optional.empty());
        long budget = graph.largestWorkingSet();
        assertThat(solver.solve(graph, budget, Optional.empty(), new SolverEffort(0, 9)))
                .isEqualTo(nothing);
        assertThat(solver.solve(graph, budget - 1, Optional.empty(), AMPLE)).isEqualTo(nothing);
        assertThat(new RetentionProgramme(3).solve(graph, budget, Optional.empty(), AMPLE))
                .isEqualTo(nothing);
    }

    @Test
    void an_interrupted_caller_gets_a_sound_answer_at_once_and_stays_interrupted() throws InterruptedException {
        GraphProfile graph = training(new Random(2), 60);
        long budget = (graph.largestWorkingSet() * 2 + graph.peakWithoutRecomputation()) / 3;
        List<Answer> answers = new ArrayList<>();
        List<Boolean> interrupted = new ArrayList<>();
        Thread caller = new Thread(() -> {
            // An hour: the test would not end if the wish were not passed on.
            answers.add(solver.solve(graph, budget, Optional.empty(), new SolverEffort(360_000_000, 0)));
            interrupted.add(Thread.currentThread().isInterrupted());
        });
        caller.start();
        Thread.sleep(300);
        caller.interrupt();
        caller.join();
        assertThat(interrupted).containsExactly(true);
        assertThat(answers.get(0).lowerBoundCost()).isGreaterThanOrEqualTo(graph.baseCost());
        answers.get(0)
                .steps()
                .ifPresent(steps ->
                        assertThat(new GraphRun(graph, steps).peakBytes()).isLessThanOrEqualTo(budget));
    }

    /** Every set of recomputations of a tiny graph. */
    private static OptionalLong leastCost(GraphProfile graph, long budget) {
        List<int[]> choices = new ArrayList<>();
        for (int stage = 2; stage < graph.size(); stage++) {
            for (int node = 0; node < stage; node++) {
                choices.add(new int[] {stage, node});
            }
        }
        long least = Long.MAX_VALUE;
        for (int set = 0; set < 1 << choices.size(); set++) {
            StageSchedule schedule = StageSchedule.withoutRecomputation(graph);
            for (int i = 0; i < choices.size(); i++) {
                if ((set >> i & 1) != 0) {
                    schedule.recompute(choices.get(i)[0], choices.get(i)[1]);
                }
            }
            List<GraphStep> steps = schedule.steps();
            GraphRun run = new GraphRun(graph, steps);
            least = run.peakBytes() <= budget ? Math.min(least, run.cost()) : least;
        }
        return least == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(least);
    }

    /** A chain forward, then backward in reverse; each backward node reads its forward node, or the one before it too. */
    static GraphProfile training(Random random, int forward) {
        List<GraphNode> nodes = new ArrayList<>();
        for (int i = 0; i < forward; i++) {
            nodes.add(node(random, "f" + i, false, i == 0 ? List.of() : List.of(i - 1)));
        }
        for (int i = forward - 1; i >= 0; i--) {
            List<Integer> inputs = new ArrayList<>(List.of(nodes.size() - 1));
            if (i < nodes.size() - 1 && random.nextInt(4) > 0) {
                inputs.add(i);
            }
            if (i > 0 && random.nextInt(3) == 0) {
                inputs.add(i - 1);
            }
            nodes.add(node(random, "b" + i, true, inputs.stream().distinct().toList()));
        }
        return new GraphProfile("random", "", random.nextInt(3), nodes);
    }

    private static GraphNode node(Random random, String name, boolean backward, List<Integer> inputs) {
        int workspace = random.nextInt(4) == 0 ? random.nextInt(3) : 0;
        return new GraphNode(name, 1 + random.nextInt(9), 1 + random.nextInt(6), workspace, backward, inputs);
    }
}
