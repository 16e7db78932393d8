package dev.lacuna.core.planning.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.planning.online.program.DtrLogReader;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.trace.PackedInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The DTR authors' logs, and what their simulator makes of them. */
@ConformanceSet("dtr")
final class DtrLogsTest {
    /** Overheads are published with six digits. */
    private static final double DIGITS = 1e-6;
    /** Scores computed per run that the short test still waits for; the longest runs take millions. */
    private static final long SHORT = 300_000;
    /** The same for the heuristics whose every score walks over what is evicted around a tensor. */
    private static final long SHORT_WALKS = 5_000;

    private static final Set<EvictionHeuristic> WALKING = Set.of(EvictionHeuristic.DTR, EvictionHeuristic.MSPS);

    private static final Map<String, EvictionHeuristic> NAMES = Map.of(
            "DTR", EvictionHeuristic.DTR,
            "DTREqClass", EvictionHeuristic.DTR_EQ,
            "DTRLocal", EvictionHeuristic.DTR_LOCAL,
            "MSPS", EvictionHeuristic.MSPS,
            "LRU", EvictionHeuristic.LRU,
            "LargestStorage", EvictionHeuristic.LARGEST);

    private record Row(
            String model,
            long peak,
            long constants,
            long computeNs,
            int operators,
            int tensors,
            String heuristic,
            double ratio,
            String status,
            double overhead,
            long evaluations) {
        static Row of(String line) {
            String[] cells = line.split(",", -1);
            int last = cells.length - 1;
            return new Row(
                    cells[0],
                    Long.parseLong(cells[1]),
                    Long.parseLong(cells[2]),
                    Long.parseLong(cells[4]),
                    Integer.parseInt(cells[5]),
                    Integer.parseInt(cells[6]),
                    cells[7],
                    Double.parseDouble(cells[8]),
                    cells[last - 2],
                    Double.parseDouble(cells[last - 1]),
                    Long.parseLong(cells[last]));
        }

        boolean isShort() {
            return evaluations <= (WALKING.contains(NAMES.get(heuristic)) ? SHORT_WALKS : SHORT);
        }
    }

    @Test
    void short_runs_cost_what_the_authors_simulator_says() throws IOException {
        compare(true);
    }

    @Test
    @Tag("nightly")
    void all_runs_cost_what_the_authors_simulator_says() throws IOException {
        compare(false);
    }

    private static void compare(boolean onlyShort) throws IOException {
        Path folder = Path.of(System.getProperty("lacuna.data"), "dtr");
        assumeTrue(Files.exists(folder.resolve("overheads.csv")), () -> folder + " is not in this set");
        List<Row> rows = rows(folder);
        List<OperatorProgram> programs = programs(folder);
        Map<String, int[]> agreement = new LinkedHashMap<>();
        List<String> differing = new ArrayList<>();
        for (Row row : rows) {
            if (onlyShort && !row.isShort()) {
                continue;
            }
            Optional<OperatorProgram> program = programs.stream()
                    .filter(each -> each.computeNs() == row.computeNs && each.peakBytes() == row.peak)
                    .findFirst();
            if (program.isEmpty()) {
                continue;
            }
            assertThat(program.get().constantBytes()).isEqualTo(row.constants);
            assertThat(program.get().operators()).isEqualTo(row.operators);
            OnlineRun run =
                    OnlineRecomputation.run(program.get(), (long) (row.peak * row.ratio), NAMES.get(row.heuristic));
            int[] counts = agreement.computeIfAbsent(row.model + " " + row.heuristic, key -> new int[3]);
            counts[0]++;
            boolean same = status(run).equals(row.status) && Math.abs(run.overhead() - row.overhead) <= DIGITS;
            counts[1] += same ? 1 : 0;
            counts[2] += run.evaluations() == row.evaluations ? 1 : 0;
            if (!same) {
                differing.add(String.format(
                        Locale.ROOT,
                        "%s %s at %s: %s %f, here %s %f",
                        row.model,
                        row.heuristic,
                        row.ratio,
                        row.status,
                        row.overhead,
                        status(run),
                        run.overhead()));
            }
        }
        agreement.forEach((name, counts) -> System.out.printf(
                Locale.ROOT,
                "%-36s %2d runs, %2d the same, %2d with the same number of scores%n",
                name,
                counts[0],
                counts[1],
                counts[2]));
        assertThat(agreement).isNotEmpty();
        assertThat(differing).isEmpty();
    }

    private static String status(OnlineRun run) {
        return switch (run.outcome()) {
            case FINISHED -> "ok";
            case OUT_OF_MEMORY -> "OOM";
            case THRASHED -> "thrash";
            case OUT_OF_TIME -> throw new IllegalStateException("nobody is in a hurry here");
        };
    }

    private static List<Row> rows(Path folder) throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("overheads.csv"))) {
            return lines.skip(1)
                    .filter(line -> !line.isBlank())
                    .map(Row::of)
                    .filter(row -> NAMES.containsKey(row.heuristic))
                    .toList();
        }
    }

    private static List<OperatorProgram> programs(Path folder) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.list(folder)) {
            logs = files.filter(file -> file.toString().contains(".log"))
                    .sorted()
                    .toList();
        }
        List<OperatorProgram> programs = new ArrayList<>();
        for (Path log : logs) {
            try (InputStream in = PackedInput.unpacked(Files.newInputStream(log))) {
                programs.add(DtrLogReader.read(in));
            }
        }
        assertThat(programs).isNotEmpty();
        return programs;
    }
}
