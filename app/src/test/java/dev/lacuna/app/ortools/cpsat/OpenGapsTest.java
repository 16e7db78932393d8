package dev.lacuna.app.ortools.cpsat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.graph.model.ExactGraphSolver.Answer;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphRun;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import dev.lacuna.core.planning.graph.retention.RetentionPlanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What twenty seconds of CP-SAT add where the own search leaves a gap; prints it. */
@Tag("conformance")
@Tag("nightly")
@EnabledIfSystemProperty(named = "lacuna.data", matches = ".+")
@EnabledIf("dev.lacuna.app.ortools.OrToolsJars#natives")
class OpenGapsTest {
    private static final SolverEffort TWENTY_SECONDS = new SolverEffort(2_000_000, 0);

    @ParameterizedTest
    @ValueSource(ints = {7, 6, 5})
    void answers_about_the_profiled_u_net_hold(int gibibytes) throws IOException {
        GraphProfile graph =
                GraphProfileReader.read(Path.of(System.getProperty("lacuna.data"), "recompute", "graph_un_11.json"));
        long budget = (long) gibibytes << 30;
        GraphPlan own =
                new RetentionPlanner().plan(graph, budget, SolverEffort.USUAL).orElseThrow();
        Answer answer = new RetentionProgramme().solve(graph, budget, Optional.of(own), TWENTY_SECONDS);
        System.out.printf(
                "un_11, %d GiB: own %d, bound %d; OR-Tools %s, bound %d%n",
                gibibytes,
                own.cost(),
                own.lowerBoundCost(),
                answer.steps().map(steps -> new GraphRun(graph, steps).cost()),
                answer.lowerBoundCost());
        long least = own.cost();
        if (answer.steps().isPresent()) {
            GraphRun run = new GraphRun(graph, answer.steps().get());
            assertThat(run.peakBytes()).isLessThanOrEqualTo(budget);
            assertThat(run.cost()).isLessThanOrEqualTo(own.cost());
            least = run.cost();
        }
        assertThat(answer.lowerBoundCost()).isLessThanOrEqualTo(least);
    }
}
