package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.expandable.ExpandableSegmentsAllocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The model of expandable segments against what the real allocator of libtorch 2.7.1 made of the same traces. */
@ConformanceSet("traces")
class ExpandableTracesTest {
    private static final AllocatorPolicy EXPANDABLE =
            AllocatorPolicies.named(ExpandableSegmentsAllocator.NAME).orElseThrow();

    @ParameterizedTest
    @CsvSource({"cuda_gpt1024x12_fixed.csv, 28638", "cuda_gpt1024x12_accum.csv, 29660"})
    void reserves_what_the_real_one_reserved(String file, long reservedMib) throws IOException {
        ReplayResult result = new Replay(trace(file), ReplaySettings.RECORDED).run(EXPANDABLE);
        assertThat(result.peakReservedBytes()).isEqualTo(reservedMib << 20);
    }

    /** Which capacities suffice is not monotonic, so two bisections may end a little apart. */
    @ParameterizedTest
    @CsvSource({
        "cuda_gpt1024x12_fixed.csv, 1, 27138",
        "cuda_gpt1024x12_accum.csv, 1, 28038",
        "cpu_gpt_var.csv, 64, 20858",
        "cpu_lstm.csv, 64, 4762",
        "cpu_gpt_ckpt_accum.csv, 64, 6698",
        "cpu_resnet.csv, 64, 9150"
    })
    void finishes_where_the_real_one_finished(String file, long scale, long capacityMib) throws IOException {
        ReplaySettings settings = ReplaySettings.RECORDED.scaledBy(scale);
        long found = new MinimumCapacity(trace(file), settings).find(EXPANDABLE).orElseThrow() >> 20;
        assertThat(found).isCloseTo(capacityMib, within(capacityMib / 500));
    }

    private static AllocationTrace trace(String file) throws IOException {
        Path path = Path.of(System.getProperty("lacuna.data"), "traces", file);
        assumeTrue(Files.exists(path), () -> path + " is not in this set");
        return TraceReaders.read(path);
    }
}
