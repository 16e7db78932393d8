package dev.lacuna.bridge.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The models of PyTorch's two allocators reach the same peaks as PyTorch's own code, to the byte. */
@Tag("rivals")
class RealAllocatorTest {
    private static final long AMPLE = 1L << 40;

    @TempDir
    private Path folder;

    /** Recorded traces where there are any, and made ones; each at sizes of hosts and of accelerators. */
    static Stream<Arguments> traces() throws IOException {
        List<Arguments> all = new ArrayList<>();
        for (MadeTraces made : MadeTraces.values()) {
            all.add(Arguments.of(made.name(), made.trace(), 1L));
        }
        Path recorded = Path.of(System.getProperty("lacuna.data", ""), "traces");
        if (!System.getProperty("lacuna.data", "").isEmpty() && Files.isDirectory(recorded)) {
            try (Stream<Path> files = Files.list(recorded)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
                    AllocationTrace trace = TraceReaders.read(file);
                    String name = file.getFileName().toString();
                    all.add(Arguments.of(name, trace, 1L));
                    if (name.startsWith("cpu")) {
                        all.add(Arguments.of(name, trace, 16L));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} × {2}")
    @MethodSource("traces")
    void caching_is_what_pytorch_does(String name, AllocationTrace trace, long scale) throws IOException {
        compare("caching", trace, scale, AMPLE, false);
    }

    @ParameterizedTest(name = "{0} × {2}")
    @MethodSource("traces")
    void caching_is_what_pytorch_does_when_memory_is_short(String name, AllocationTrace trace, long scale)
            throws IOException {
        compare("caching", trace, scale, shortage(trace, scale), false);
    }

    @ParameterizedTest(name = "{0} × {2}")
    @MethodSource("traces")
    void expandable_is_what_pytorch_does_with_expandable_segments(String name, AllocationTrace trace, long scale)
            throws IOException {
        compare("expandable", trace, scale, AMPLE, true);
    }

    @ParameterizedTest(name = "{0} × {2}")
    @MethodSource("traces")
    void expandable_is_what_pytorch_does_when_memory_is_short(String name, AllocationTrace trace, long scale)
            throws IOException {
        compare("expandable", trace, scale, shortage(trace, scale), true);
    }

    /** Between what must fit and what is taken with memory to spare: cached memory has to be given back on the way. */
    private static long shortage(AllocationTrace trace, long scale) {
        ReplayResult ample = run(AllocatorPolicies.named("caching").orElseThrow(), trace, scale, AMPLE);
        long middle = ample.peakAllocatedBytes() + (ample.peakReservedBytes() - ample.peakAllocatedBytes()) / 2;
        return middle / (2L << 20) * (2L << 20);
    }

    private static ReplayResult run(AllocatorPolicy policy, AllocationTrace trace, long scale, long capacity) {
        return new Replay(trace, ReplaySettings.RECORDED.scaledBy(scale).capacity(capacity)).run(policy);
    }

    private void compare(String policyName, AllocationTrace trace, long scale, long capacity, boolean expandable)
            throws IOException {
        Optional<AllocatorPolicy> policy = AllocatorPolicies.named(policyName);
        assumeTrue(policy.isPresent(), policyName + " is not there");
        ReplayResult model = run(policy.get(), trace, scale, capacity);
        Programs.Said real = Programs.replay(write(trace, scale), capacity, expandable);

        assertThat(real.number("ooms")).as("out-of-memories").isEqualTo(model.ooms());
        assertThat(model.peakRequestedBytes()).as("peak requested").isEqualTo(real.number("peak_requested_bytes"));
        assertThat(model.peakAllocatedBytes()).as("peak allocated").isEqualTo(real.number("peak_allocated_bytes"));
        assertThat(model.peakReservedBytes()).as("peak reserved").isEqualTo(real.number("peak_reserved_bytes"));
        assertThat(model.retries()).as("retries").isEqualTo(real.number("retries"));
    }

    /** Two words per command: block, bytes (0 frees it). */
    private Path write(AllocationTrace trace, long scale) throws IOException {
        ByteBuffer commands = ByteBuffer.allocate(trace.size() * 16).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < trace.size(); i++) {
            if (trace.operation(i) == EventKind.ALLOC && trace.bytes(i) > 0) {
                commands.putLong(trace.block(i)).putLong(trace.bytes(i) * scale);
            } else if (trace.operation(i) == EventKind.FREE) {
                commands.putLong(trace.block(i)).putLong(0);
            }
        }
        byte[] written = new byte[commands.position()];
        commands.flip().get(written);
        return Files.write(folder.resolve("trace.bin"), written);
    }
}
