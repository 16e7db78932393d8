package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.segregated.SegregatedPoolAllocator;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays the recorded training runs, CPU ones scaled to the sizes of accelerators, and prints what each policy made of them. */
@ConformanceSet("traces")
class RecordedTracesTest {
    private static final long CPU_SCALE = 64;

    private static final AllocatorPolicy CACHING =
            AllocatorPolicies.named(CachingAllocator.NAME).orElseThrow();
    private static final AllocatorPolicy SEGREGATED =
            AllocatorPolicies.named(SegregatedPoolAllocator.NAME).orElseThrow();

    static List<Path> traces() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("lacuna.data"), "traces"))) {
            return files.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("traces")
    void the_segregated_pools_finish_where_the_caching_rules_run_out(Path file) throws IOException {
        AllocationTrace trace = TraceReaders.read(file);
        ReplaySettings settings = settings(file);
        long caching = new MinimumCapacity(trace, settings).find(CACHING).orElseThrow();
        long segregated = new MinimumCapacity(trace, settings).find(SEGREGATED).orElseThrow();
        report(file, trace, settings, CACHING, caching);
        report(file, trace, settings, SEGREGATED, segregated);

        assertThat(segregated).isLessThan(caching);
        long peak = new Replay(trace, settings.capacity(Device.DEFAULT_RANGE_BYTES))
                .run(SEGREGATED)
                .peakAllocatedBytes();
        assertThat(segregated).isGreaterThanOrEqualTo(peak);
    }

    @ParameterizedTest
    @MethodSource("traces")
    void with_memory_to_spare_no_policy_fails_retries_or_remaps(Path file) throws IOException {
        assertUntroubled(file, policy -> !policy.needsForesight());
    }

    @ParameterizedTest
    @MethodSource("traces")
    @Tag("nightly")
    void nor_one_with_foresight(Path file) throws IOException {
        assertUntroubled(file, AllocatorPolicy::needsForesight);
    }

    private static void assertUntroubled(Path file, Predicate<AllocatorPolicy> asked) throws IOException {
        AllocationTrace trace = TraceReaders.read(file);
        for (AllocatorPolicy policy :
                AllocatorPolicies.all().stream().filter(asked).toList()) {
            ReplayResult ample = new Replay(trace, settings(file).capacity(Device.DEFAULT_RANGE_BYTES)).run(policy);
            assertThat(ample.ooms()).isZero();
            assertThat(ample.retries()).isZero();
            assertThat(ample.remaps()).isZero();
        }
    }

    private static ReplaySettings settings(Path file) {
        boolean recordedOnHost = file.getFileName().toString().startsWith("cpu_");
        return ReplaySettings.RECORDED.scaledBy(recordedOnHost ? CPU_SCALE : 1);
    }

    private static void report(
            Path file, AllocationTrace trace, ReplaySettings settings, AllocatorPolicy policy, long minimum) {
        ReplayResult ample = new Replay(trace, settings.capacity(Device.DEFAULT_RANGE_BYTES)).run(policy);
        double peak = ample.peakAllocatedBytes();
        StringBuilder tight = new StringBuilder();
        for (double factor : new double[] {1.005, 1.02, 1.05}) {
            ReplayResult at = new Replay(trace, settings.capacity((long) (peak * factor))).run(policy);
            tight.append(String.format(Locale.ROOT, "  %d ooms %d remaps", at.ooms(), at.remaps()));
        }
        System.out.printf(
                Locale.ROOT,
                "%-28s %-10s peak allocated %7.0f MiB, reserved ×%.3f, minimum ×%.3f, at ×1.005/1.02/1.05:%s%n",
                file.getFileName(),
                policy.name(),
                peak / (1 << 20),
                ample.peakReservedBytes() / peak,
                minimum / peak,
                tight);
    }
}
