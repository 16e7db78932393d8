package dev.lacuna.core.planning.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.ProfilesForTests;
import dev.lacuna.core.planning.chain.ChainPlan;
import dev.lacuna.core.planning.chain.Revolve;
import dev.lacuna.core.planning.method.CheckpointTree.Item.Checkpoint;
import dev.lacuna.core.planning.method.CheckpointTree.Item.Kept;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CheckpointTreeTest {
    @Test
    void every_schedule_of_every_planner_can_be_written_as_nested_checkpoints() {
        Random random = new Random(3);
        for (int i = 0; i < 80; i++) {
            PlanningProfile.Chain chain = ProfilesForTests.random(random);
            for (PlanningMethod method : PlanningMethods.suited(chain)) {
                for (long budget : ParetoCurve.budgets(chain, 4)) {
                    if (method.plan(chain, budget, PlanningEffort.QUICK) instanceof PlanPoint.Planned planned
                            && planned.choice() instanceof PlannedChoice.Chain choice) {
                        assertThat(choice.tree()).as(method.id()).isPresent();
                        ChainPlan again = ChainPlan.of(
                                chain.chain(), choice.tree().orElseThrow().steps());
                        assertThat(again.peakBytes()).isEqualTo(choice.plan().peakBytes());
                        assertThat(again.timeMs()).isEqualTo(choice.plan().timeMs());
                    }
                }
            }
        }
    }

    @Test
    void binomial_checkpoints_nest() {
        CheckpointTree tree = CheckpointTree.of(Revolve.schedule(10, 2)).orElseThrow();
        assertThat(tree.nested()).isTrue();
        assertThat(tree.byStage()).isEmpty();
        assertThat(CheckpointTree.of(tree.steps())).contains(tree);
    }

    @Test
    void single_stages_are_told_by_stage() {
        CheckpointTree tree = CheckpointTree.ofStages(List.of(true, false, true));
        assertThat(tree.items())
                .containsExactly(
                        new Checkpoint(List.of(new Kept(0))), new Kept(1), new Checkpoint(List.of(new Kept(2))));
        assertThat(tree.byStage()).contains(List.of(true, false, true));
        assertThat(CheckpointTree.of(tree.steps())).contains(tree);
    }
}
