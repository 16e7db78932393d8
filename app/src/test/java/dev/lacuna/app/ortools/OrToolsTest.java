package dev.lacuna.app.ortools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.packing.ExactSolver;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.SearchBudget;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.SolverEffort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class OrToolsTest {
    private static final GraphProfile GRAPH =
            new GraphProfile("one", "", 0, List.of(new GraphNode("a", 1, 1, 0, false, List.of())));
    private static final Lifetimes TWO =
            Lifetimes.builder().add(0, 2, 4).add(1, 3, 4).build();

    @TempDir
    Path home;

    @Test
    void the_core_finds_both_solvers_as_services() {
        assertThat(ServiceLoader.load(ExactGraphSolver.class)).hasOnlyElementsOfType(OrToolsRetention.class);
        assertThat(ServiceLoader.load(ExactSolver.class)).hasOnlyElementsOfType(OrToolsPacking.class);
    }

    @Test
    void without_jars_nothing_is_decided_and_nothing_fails() {
        OrTools absent = new OrTools(Optional.of(new OrToolsFolder(home.resolve("nowhere"))));
        assertNothingDecided(absent);
        assertThat(absent.state()).isEqualTo(OrTools.State.ABSENT);
    }

    @Test
    @EnabledIf("dev.lacuna.app.ortools.OrToolsJars#natives")
    void jars_in_the_folder_are_loaded_at_the_first_question_and_not_before() throws IOException {
        OrTools tools = new OrTools(Optional.of(OrToolsJars.folder(home)));
        assertThat(tools.state()).isEqualTo(OrTools.State.FOUND);
        assertThat(new OrToolsPacking(tools)
                        .solve(TWO, 8, new SearchBudget(1, 60_000))
                        .plan())
                .isPresent();
        assertThat(new OrToolsRetention(tools)
                        .solve(GRAPH, 1, Optional.empty(), new SolverEffort(1_000_000, 0))
                        .steps())
                .isPresent();
        assertThat(tools.state()).isEqualTo(OrTools.State.LOADED);
    }

    @Test
    void jars_that_cannot_be_loaded_leave_the_own_solvers_alone_and_say_why() throws IOException {
        Path folder = folder("rwx------");
        Files.writeString(folder.resolve("ortools-java.jar"), "no jar");
        OrTools tools = new OrTools(Optional.of(new OrToolsFolder(folder)));
        assertThat(tools.state()).isEqualTo(OrTools.State.FOUND);
        assertNothingDecided(tools);
        assertThat(tools.state()).isEqualTo(OrTools.State.FAILED);
        assertThat(tools.detail()).isNotBlank();
    }

    @Test
    void jars_that_others_may_write_are_not_run() throws IOException {
        Path folder = folder("rwxrwxrwx");
        Files.writeString(folder.resolve("ortools-java.jar"), "no jar");
        OrTools tools = new OrTools(Optional.of(new OrToolsFolder(folder)));
        assertThat(tools.state()).isEqualTo(OrTools.State.FAILED);
        assertThat(tools.detail()).contains(folder.toString());
        assertNothingDecided(tools);
    }

    @Test
    void the_folder_is_what_the_property_or_the_environment_says_or_in_the_users_data() {
        Map<String, String> named = Map.of("LACUNA_ORTOOLS", "/opt/solver", "XDG_DATA_HOME", "/data");
        assertThat(OrToolsFolder.of(Optional.of("/here"), named, "/home/a"))
                .contains(new OrToolsFolder(Path.of("/here")));
        assertThat(OrToolsFolder.of(Optional.of(""), named, "/home/a")).isEmpty();
        assertThat(OrToolsFolder.of(Optional.empty(), named, "/home/a"))
                .contains(new OrToolsFolder(Path.of("/opt/solver")));
        assertThat(OrToolsFolder.of(Optional.empty(), Map.of("XDG_DATA_HOME", "/data"), "/home/a"))
                .contains(new OrToolsFolder(Path.of("/data/lacuna/ortools")));
        assertThat(OrToolsFolder.of(Optional.empty(), Map.of("XDG_DATA_HOME", "relative"), "/home/a"))
                .contains(new OrToolsFolder(Path.of("/home/a/.local/share/lacuna/ortools")));
    }

    private Path folder(String permissions) throws IOException {
        Path folder = Files.createDirectory(home.resolve("jars"));
        // The umask has no say.
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }

    private static void assertNothingDecided(OrTools tools) {
        assertThat(new OrToolsPacking(tools)
                        .solve(TWO, 8, new SearchBudget(1, 1))
                        .verdict())
                .isEqualTo(ExactSolver.Verdict.UNDECIDED);
        assertThat(new OrToolsRetention(tools).solve(GRAPH, 1, Optional.empty(), new SolverEffort(1, 1)))
                .isEqualTo(new ExactGraphSolver.Answer(GRAPH.baseCost(), Optional.empty()));
    }
}
