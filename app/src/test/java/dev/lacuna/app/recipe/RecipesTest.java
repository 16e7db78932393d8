package dev.lacuna.app.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.Main;
import dev.lacuna.app.settings.SettingsFile;
import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.places.planner.PlannerPlace;
import dev.lacuna.ui.places.recording.RecordingPlace;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.Look;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.text.Language;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CONTRIBUTING.md's recipes, followed: one file each, named in one line. Here the line is one of META-INF/services, in a folder that only
 * these processes have on their class path, so that no other test meets the fakes.
 */
class RecipesTest {
    private static final long PATIENCE_S = 120;

    /** Floors of the agent that are libraries of their own. */
    private static final Set<String> OTHERS = Set.of("torch", "graft");

    @TempDir
    private static Path built;

    @TempDir
    private Path folder;

    private Path trace;

    @BeforeEach
    void writeTrace() throws IOException {
        trace = Files.writeString(folder.resolve("run.fake"), "fake trace\n1048576\n2097152\n3145728\n");
    }

    private ProcessBuilder command(String... words) {
        Path services = Path.of("src", "test", "recipes").toAbsolutePath();
        assertThat(services).isDirectory();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.language=en",
                "-cp",
                services + File.pathSeparator + System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        return inOwnFolder(new ProcessBuilder(command))
                .redirectOutput(folder.resolve("said").toFile())
                .redirectError(folder.resolve("errors").toFile());
    }

    /** Not where the user's own processes meet. */
    private ProcessBuilder inOwnFolder(ProcessBuilder program) {
        program.environment().put("LACUNA_DIR", folder.resolve("rendezvous").toString());
        return program;
    }

    private String lacuna(String... words) throws Exception {
        Process process = command(words).start();
        assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(() -> read(folder.resolve("errors"))).isZero();
        return read(folder.resolve("said"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void a_policy_and_a_format_are_replayed() throws Exception {
        assertThat(lacuna("replay", trace.toString(), "--policy", "caching,fake-policy", "--json"))
                .contains("\"policy\":\"fake-policy\"")
                .contains("\"peak_allocated_bytes\":6291456");
    }

    @Test
    void a_format_is_opened_and_a_rule_looks_at_it() throws Exception {
        assertThat(lacuna("snapshot", trace.toString(), "--json"))
                .contains("\"format\":\"fake-format\"")
                .contains("\"fake-rule\"")
                .contains("the fake rule has looked");
    }

    @Test
    void a_format_is_planned_for() throws Exception {
        assertThat(lacuna("plan", trace.toString(), "--method", "store-all", "--json"))
                .contains("\"kind\":\"chain\"")
                .contains("\"plain_peak_bytes\":");
    }

    private Path log() throws IOException {
        return Files.writeString(folder.resolve("train.log"), "fake framework: no memory for 512 MiB\n");
    }

    @Test
    void a_grammar_is_read() throws Exception {
        assertThat(lacuna("diagnose", log().toString(), "--json"))
                .contains("\"framework\":\"other\"")
                .contains("\"tried_bytes\":536870912")
                .as("a remedy is offered, behind the others")
                .contains("\"fake-remedy\"");
    }

    private Path chain() throws IOException {
        return Files.writeString(folder.resolve("chain.json"), """
                {"input_bytes": 10, "layers": [
                  {"name": "a", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 400}]}
                """);
    }

    @Test
    void a_planning_method_is_asked_and_stands_in_the_help() throws Exception {
        assertThat(lacuna("plan", chain().toString(), "--budget", "1MiB", "--method", "fake-method", "--json"))
                .contains("\"method\":\"fake-method\"")
                .contains("\"reason\":");
        assertThat(lacuna("plan", "--help")).contains("fake-method");
    }

    @Test
    void a_back_end_is_served_listed_and_watched() throws Exception {
        Process served = serve();
        try {
            assertThat(lacuna("ps", "--json")).contains("\"backend\":\"fake\",\"index\":1");
            String pid = Long.toString(served.pid());
            assertThat(lacuna("watch", pid, "--count", "1", "--json"))
                    .contains("\"backend\":\"fake\"")
                    .contains("\"allocated_bytes\":3145728");
            assertThat(lacuna("set", pid, "fraction=0.5", "device=fake:1", "--json"))
                    .contains("\"limit_bytes\":33554432");
        } finally {
            served.outputWriter().close();
            assertThat(served.waitFor()).isZero();
        }
    }

    private Process serve() throws Exception {
        Process served = inOwnFolder(new ProcessBuilder(servedOnFake().toString()))
                .redirectErrorStream(true)
                .start();
        assertThat(served.inputReader().readLine()).isEqualTo("served");
        return served;
    }

    /** The agent with one back end more: a file, and a line in what stands before its own list. */
    private static synchronized Path servedOnFake() throws Exception {
        Path program = built.resolve("served");
        if (Files.exists(program)) {
            return program;
        }
        Path recipe = Path.of("src", "test", "recipes", "native").toAbsolutePath();
        Path agent = Path.of("..", "native").toAbsolutePath();
        List<String> compile = new ArrayList<>(List.of(
                "gcc",
                "-std=c11",
                "-D_GNU_SOURCE",
                "-O0",
                "-pthread",
                "-DLACUNA_VERSION_TEXT=\"fake\"",
                "-o",
                program.toString()));
        compile.addAll(List.of(
                "-I" + agent.resolve("include"),
                "-iquote",
                recipe.toString(),
                "-iquote",
                agent.resolve("src").toString()));
        compile.addAll(sources(recipe));
        compile.addAll(sources(agent.resolve("src")));
        compile.addAll(List.of("-ldl", "-lm"));
        Process gcc = new ProcessBuilder(compile).redirectErrorStream(true).start();
        String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor()).as(said).isZero();
        return program;
    }

    private static List<String> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            return files.filter(file -> file.toString().endsWith(".c"))
                    .filter(file ->
                            !OTHERS.contains(file.getParent().getFileName().toString()))
                    .map(Path::toString)
                    .toList();
        }
    }

    @Test
    void a_policy_stands_in_the_help() throws Exception {
        assertThat(lacuna("replay", "--help")).contains("segregated").contains("fake-policy");
    }

    /** The files are what was left open, so that each place shows its own. */
    @Test
    @Tag("ui")
    void all_of_them_stand_in_the_window() throws Exception {
        List<String> shown = List.of(
                "fake-place: the fake place is shown",
                " · fake 1, 64.0 MiB · ",
                "diagnose: The message does not give: total, free, reserved, allocated.",
                "diagnose: Try the fake",
                "snapshot: the fake rule has looked",
                "whatif: fake-policy",
                "planner: fake-method");
        leaveOpen(
                new OpenFile(DiagnosePlace.ID, "", log().toString()),
                new OpenFile(RecordingPlace.ID, "", trace.toString()),
                new OpenFile(PlannerPlace.ID, "plan", chain().toString()));
        ProcessBuilder window = command();
        window.environment().put("XDG_CONFIG_HOME", folder.toString());
        Process served = serve();
        Process process = window.start();
        try {
            assertThat(missing(shown, process))
                    .as(() -> read(folder.resolve("said")) + read(folder.resolve("errors")))
                    .isEmpty();
        } finally {
            process.destroy();
            served.outputWriter().close();
            assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(served.waitFor()).isZero();
        }
    }

    private void leaveOpen(OpenFile... files) throws IOException {
        new SettingsFile(folder.resolve("lacuna").resolve("settings.json"))
                .save(new StoredSettings(
                        ThemeChoice.DARK,
                        Language.ENGLISH,
                        1L << 30,
                        Optional.empty(),
                        FakePlace.ID,
                        List.of(),
                        List.of(),
                        List.of(),
                        Look.DEFAULT,
                        new LeftOpen(true, "", List.of(files)),
                        List.of()));
    }

    /** What the window has not shown when it ended, or when there is no more patience. */
    private List<String> missing(List<String> wanted, Process window) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        List<String> missing = wanted;
        while (!missing.isEmpty() && System.nanoTime() < end && !window.waitFor(300, TimeUnit.MILLISECONDS)) {
            String said = read(folder.resolve("said"));
            missing = wanted.stream().filter(text -> !said.contains(text)).toList();
        }
        return missing;
    }
}
