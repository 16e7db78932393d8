package dev.lacuna.app.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTraceFilesTest {
    @TempDir
    private Path folder;

    @Test
    void reads_a_trace_again_and_again_and_tells_how_far_it_is() throws IOException {
        Path file = Files.writeString(folder.resolve("run.trace"), "alloc a 1\nfree a\n".repeat(100_000));
        List<Double> reported = new ArrayList<>();
        TraceSource trace = new DiskTraceFiles().open(file.toString(), reported::add);
        assertThat(trace.whole().size()).isEqualTo(200_000);
        assertThat(reported).hasSizeBetween(5, 210).last().isEqualTo(-1.0);
        assertThat(reported.subList(0, reported.size() - 1)).isSorted().allMatch(share -> share > 0 && share < 1);
        assertThat(trace.whole().size()).isEqualTo(200_000);
    }

    @Test
    void refuses_what_is_not_there_or_no_file() {
        assertThatThrownBy(
                        () -> new DiskTraceFiles().open(folder.resolve("none").toString(), share -> {}))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> new DiskTraceFiles().open(folder.toString(), share -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no regular file");
    }
}
