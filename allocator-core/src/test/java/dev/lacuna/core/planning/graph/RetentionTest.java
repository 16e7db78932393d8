package dev.lacuna.core.planning.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphRun;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import dev.lacuna.core.planning.graph.retention.Retention;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class RetentionTest {
    @Property(tries = 100)
    void changes_lead_to_the_same_state_as_beginning_anew(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 3 + random.nextInt(12));
        Retention changed = changed(random, graph);
        Retention anew = new Retention(graph);
        anew.restore(changed.snapshot());
        assertThat(changed.cost()).isEqualTo(anew.cost());
        for (int stage = 0; stage < graph.size(); stage++) {
            assertThat(changed.peak(stage)).isEqualTo(anew.peak(stage));
        }
    }

    @Property(tries = 200)
    void knows_cost_and_peak_as_the_run_of_its_schedule_does(@ForAll long seed) {
        Random random = new Random(seed);
        GraphProfile graph = Graphs.training(random, 3 + random.nextInt(12));
        Retention state = changed(random, graph);
        GraphRun run =
                new GraphRun(graph, StageSchedule.of(graph, state.snapshot()).steps());
        long peak = 0;
        for (int stage = 0; stage < graph.size(); stage++) {
            peak = Math.max(peak, graph.fixedBytes() + state.peak(stage));
        }
        // The schedule leaves out what none would use.
        if (run.recomputations() == state.recomputations()) {
            assertThat(run.cost()).isEqualTo(state.cost());
            assertThat(run.peakBytes()).isEqualTo(peak);
        } else {
            assertThat(run.cost()).isLessThanOrEqualTo(state.cost());
            assertThat(run.peakBytes()).isLessThanOrEqualTo(peak);
        }
    }

    private static Retention changed(Random random, GraphProfile graph) {
        Retention state = new Retention(graph);
        int changes = random.nextInt(30);
        for (int i = 0; i < changes; i++) {
            int stage = 1 + random.nextInt(graph.size() - 1);
            int node = random.nextInt(stage);
            if (state.computes(stage, node)) {
                state.remove(stage, node);
            } else {
                state.add(stage, node);
            }
        }
        return state;
    }
}
