package dev.lacuna.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot of a gigabyte, five million entries, opens in 1.5 GiB of heap; what was cut off its end costs nothing else. */
@Tag("nightly")
class HugeSnapshotTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    @Test
    @Timeout(1200)
    void a_gigabyte_opens_in_one_and_a_half_gibibytes_of_heap() throws Exception {
        Path file = folder.resolve("huge.pickle");
        long events = SnapshotGenerator.write(file, GIB / 206);
        assertThat(Files.size(file)).isGreaterThan(GIB);

        String whole = open(file);
        assertThat(whole).contains("events " + events + " ").contains("truncated false");
        assertThat(open(file, "3000000", "3100000")).contains("events 100000 ");

        try (var channel = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(file) - 100_000_000);
        }
        assertThat(open(file)).contains("truncated true").doesNotContain("events 0 ");
    }

    private static String open(Path file, String... range) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1536m",
                "-cp",
                System.getProperty("java.class.path"),
                OpeningCost.class.getName(),
                file.toString()));
        command.addAll(List.of(range));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
