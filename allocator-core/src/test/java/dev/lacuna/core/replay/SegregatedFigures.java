package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Prints, as Markdown, what the segregated policy needs and what it costs beside PyTorch's policies:
 * {@code SegregatedFigures DIR}. Everything is a multiple of A, the peak allocated of {@code caching}. Figures, not a test.
 */
public final class SegregatedFigures {
    private static final double[] CAPACITIES = {1.005, 1.01, 1.02, 1.05, 1.1, 2};
    private static final List<String> RIVALS = List.of("caching", "expandable");

    /** The recorder of the CUDA traces ran 12 steps and marked none. */
    private static final long UNMARKED_STEPS = 12;

    private SegregatedFigures() {}

    /** Argument: the folder of the recorded traces. */
    public static void main(String[] arguments) throws IOException {
        System.out.println("| trace | scale | A, MiB | smallest capacity / A: " + policyNames()
                + " | peak reserved / A at 2 A: " + policyNames() + " | chunks moved per step at "
                + Arrays.toString(CAPACITIES).replaceAll("[\\[\\]]", "") + " × A |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
                boolean cpu = file.getFileName().toString().startsWith("cpu_");
                for (long scale : cpu ? new long[] {1, 16, 64} : new long[] {1}) {
                    print(file, scale);
                }
            }
        }
    }

    private static void print(Path file, long scale) throws IOException {
        AllocationTrace trace = TraceReaders.read(file);
        ReplaySettings settings = ReplaySettings.RECORDED.scaledBy(scale);
        long peak = new Replay(trace, settings.capacity(Device.DEFAULT_RANGE_BYTES))
                .run(policy("caching"))
                .peakAllocatedBytes();
        StringBuilder smallest = new StringBuilder();
        StringBuilder reserved = new StringBuilder();
        for (AllocatorPolicy policy : policies()) {
            OptionalLong least = new MinimumCapacity(trace, settings).find(policy);
            smallest.append(least.isEmpty() ? "none " : multiple(least.getAsLong(), peak));
            reserved.append(multiple(
                    new Replay(trace, settings.capacity(2 * peak)).run(policy).peakReservedBytes(), peak));
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %.0f | %s| %s| %s |%n",
                file.getFileName().toString().replace(".csv", ""),
                scale,
                peak / 1048576.0,
                smallest,
                reserved,
                moved(trace, settings, peak));
    }

    private static String moved(AllocationTrace trace, ReplaySettings settings, long peak) {
        StringBuilder moved = new StringBuilder();
        for (double capacity : CAPACITIES) {
            ReplayResult result =
                    new Replay(trace, settings.capacity((long) (capacity * peak))).run(policy("segregated"));
            long steps = result.steps() > 0 ? result.steps() : UNMARKED_STEPS;
            moved.append(moved.isEmpty() ? "" : " · ")
                    .append(
                            result.ooms() > 0
                                    ? "fails"
                                    : String.format(Locale.ROOT, "%.1f", (double) result.remaps() / steps));
        }
        return moved.toString();
    }

    private static String multiple(long bytes, long peak) {
        return String.format(Locale.ROOT, "%.4f ", (double) bytes / peak);
    }

    private static String policyNames() {
        return String.join(", ", policies().stream().map(AllocatorPolicy::name).toList());
    }

    private static List<AllocatorPolicy> policies() {
        return Stream.concat(RIVALS.stream(), Stream.of("segregated"))
                .flatMap(name -> AllocatorPolicies.named(name).stream())
                .toList();
    }

    private static AllocatorPolicy policy(String name) {
        return AllocatorPolicies.named(name).orElseThrow();
    }
}
