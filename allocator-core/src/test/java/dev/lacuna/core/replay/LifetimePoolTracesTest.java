package dev.lacuna.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.mindspeed.LifetimePoolAllocator;
import dev.lacuna.core.trace.TraceReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the lifetime policy against what MindSpeed's own allocator did with the same commands. */
@ConformanceSet("lifetime-pool")
class LifetimePoolTracesTest {
    static List<Path> traces() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("lacuna.data"), "lifetime-pool"))) {
            return files.filter(f -> f.toString().endsWith(".trace")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("traces")
    void every_line_is_what_mindspeed_did(Path file) throws IOException {
        StringBuilder out = new StringBuilder();
        new PlacementLines(TraceReaders.read(file), ReplaySettings.RECORDED)
                .write(AllocatorPolicies.named(LifetimePoolAllocator.NAME).orElseThrow(), out);
        assertThat(out.toString().lines()).containsExactlyElementsOf(Files.readAllLines(file));
    }
}
