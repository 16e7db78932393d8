package dev.lacuna.app.cli.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A script that asks whether anything failed is not told so of what the framework itself calls a warning. */
class WarningStatusTest {
    private static final String WARNING =
            "W bfc_allocator.cc:7] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB"
                    + " with freed_by_count=0. The caller indicates that this is not a failure, but may mean that there could be"
                    + " performance gains if more memory were available.\n";

    private static int status(Path folder, String log) throws IOException {
        Path file = Files.writeString(folder.resolve("a.log"), log);
        return new CommandLine(new DiagnoseCommand()).execute("--json", "--fail-on", "any", file.toString());
    }

    @Test
    void a_warning_does_not_count_and_a_failure_does(@TempDir Path folder) throws IOException {
        assertThat(status(folder, WARNING)).isZero();
        assertThat(status(folder, "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"))
                .isEqualTo(1);
    }
}
