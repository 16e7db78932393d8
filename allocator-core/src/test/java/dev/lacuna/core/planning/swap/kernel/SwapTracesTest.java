package dev.lacuna.core.planning.swap.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.ConformanceSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The public G10 traces on that paper's machine. */
@ConformanceSet("swap")
final class SwapTracesTest {
    /** What G10 itself reaches, as a share of ideal: its published cycles. */
    private static final Map<String, Double> PUBLISHED = Map.of(
            "BERT_Base 256", 0.9965,
            "VIT 1280", 0.671,
            "Inceptionv3 1536", 0.977,
            "ResNet152 1280", 0.984,
            "SENet154 1024", 0.934);

    @TestFactory
    Stream<DynamicTest> our_plan_is_at_or_above_what_g10_publishes() throws IOException {
        Path folder = Path.of(System.getProperty("lacuna.data"), "swap");
        assumeTrue(Files.isDirectory(folder), () -> folder + " is not in this set");
        List<Path> traces;
        try (Stream<Path> files = Files.list(folder)) {
            traces = files.filter(file -> file.getFileName().toString().startsWith("trace_"))
                    .sorted()
                    .toList();
        }
        assertThat(traces).isNotEmpty();
        System.out.printf(
                "%-18s %8s %8s %9s %8s %8s %8s %8s%n",
                "share of ideal, %", "bound", "lacuna", "capuchin", "vdnn", "size", "lru", "G10");
        return traces.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> compare(file)));
    }

    private static void compare(Path file) throws IOException {
        KernelTrace trace = KernelTraceReader.read(file);
        SwapPlanner planner = new SwapPlanner(trace, SwapMachine.G10);
        Map<SwapMethod, Double> shares = new EnumMap<>(SwapMethod.class);
        for (SwapMethod method : SwapMethod.values()) {
            Optional<SwapRun> run = planner.plan(method);
            run.ifPresent(each -> SwapAudit.check(trace, SwapMachine.G10, each));
            shares.put(method, run.map(SwapRun::shareOfIdeal).orElse(0.0));
        }
        double bound = (double) trace.idealCycles() / planner.leastCycles();
        Double published = PUBLISHED.get(trace.name());
        System.out.printf(
                Locale.ROOT,
                "%-18s %8.2f %8.2f %9.2f %8.2f %8.2f %8.2f %8s%n",
                trace.name(),
                100 * bound,
                100 * shares.get(SwapMethod.LACUNA),
                100 * shares.get(SwapMethod.CAPUCHIN),
                100 * shares.get(SwapMethod.VDNN),
                100 * shares.get(SwapMethod.SIZE),
                100 * shares.get(SwapMethod.LRU),
                published == null ? "-" : String.format(Locale.ROOT, "%.2f", 100 * published));
        double own = shares.get(SwapMethod.LACUNA);
        assertThat(own).isLessThanOrEqualTo(bound + 1e-9);
        shares.forEach((method, share) -> assertThat(own).as(method.id()).isGreaterThanOrEqualTo(share - 1e-4));
        if (published != null) {
            assertThat(own).isGreaterThanOrEqualTo(published);
        }
    }
}
