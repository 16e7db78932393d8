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
import java.util.stream.Stream;

/**
 * Prints how many events a second a policy replays: {@code ReplaySpeed POLICY TRACE|DIR…}. Each trace is replayed warm, on
 * one thread, in many short runs; the median of the runs and the best are printed. Figures, not a test.
 */
public final class ReplaySpeed {
    private static final long CPU_SCALE = 64;
    private static final long WARM_NS = 2_000_000_000L;
    private static final long MEASURED_NS = 3_000_000_000L;

    private ReplaySpeed() {}

    /** Arguments: the policy's name, then traces or folders of traces. */
    public static void main(String[] arguments) throws IOException {
        AllocatorPolicy policy = AllocatorPolicies.named(arguments[0]).orElseThrow();
        for (String argument : List.of(arguments).subList(1, arguments.length)) {
            for (Path file : traces(Path.of(argument))) {
                measure(policy, file);
            }
        }
    }

    private static void measure(AllocatorPolicy policy, Path file) throws IOException {
        AllocationTrace trace = TraceReaders.read(file);
        long scale = file.getFileName().toString().startsWith("cpu_") ? CPU_SCALE : 1;
        ReplaySettings settings = ReplaySettings.RECORDED.scaledBy(scale).capacity(Device.DEFAULT_RANGE_BYTES);
        rates(trace, settings, policy, WARM_NS);
        double[] rates = rates(trace, settings, policy, MEASURED_NS);
        System.out.printf(
                Locale.ROOT,
                "%-12s %-28s %6.1f M events/s (best %.1f, %d runs)%n",
                policy.name(),
                file.getFileName(),
                rates[rates.length / 2],
                rates[rates.length - 1],
                rates.length);
    }

    /** Millions of events a second of each run, ascending. */
    private static double[] rates(
            AllocationTrace trace, ReplaySettings settings, AllocatorPolicy policy, long lengthNs) {
        double[] rates = new double[1 << 16];
        int runs = 0;
        long begun = System.nanoTime();
        for (long now = begun; now - begun < lengthNs && runs < rates.length; runs++) {
            long events = new Replay(trace, settings).run(policy).events();
            long after = System.nanoTime();
            rates[runs] = events * 1e3 / (after - now);
            now = after;
        }
        double[] sorted = Arrays.copyOf(rates, runs);
        Arrays.sort(sorted);
        return sorted;
    }

    private static List<Path> traces(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of(place);
        }
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
        }
    }
}
