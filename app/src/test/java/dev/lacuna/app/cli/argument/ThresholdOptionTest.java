package dev.lacuna.app.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One threshold holds for whoever set it, in the window and at a terminal. */
class ThresholdOptionTest {
    private static final long MIB = 1 << 20;

    @TempDir
    private Path folder;

    @Command
    private static final class Judging {
        @Mixin
        private final ThresholdOption threshold;

        Judging(ThresholdOption threshold) {
            this.threshold = threshold;
        }
    }

    private long gapBytes(String settings, String... words) throws IOException {
        Path file = Files.writeString(folder.resolve("settings.json"), settings);
        Judging command = new Judging(new ThresholdOption(new SettingsFile(file)));
        new CommandLine(command).parseArgs(words);
        return command.threshold.thresholds().gapBytes();
    }

    @Test
    void what_was_set_in_the_window_holds() throws IOException {
        assertThat(gapBytes("{\"gap_threshold_bytes\": 268435456}")).isEqualTo(256 * MIB);
    }

    @Test
    void what_is_said_holds_instead() throws IOException {
        assertThat(gapBytes("{\"gap_threshold_bytes\": 268435456}", "--threshold", "2MiB"))
                .isEqualTo(2 * MIB);
    }

    @Test
    void a_damaged_file_stays_where_it_is_and_says_nothing() throws IOException {
        assertThat(gapBytes("{\"gap_threshold_bytes\": ")).isEqualTo(1024 * MIB);
        assertThat(gapBytes("[1]")).isEqualTo(1024 * MIB);
        assertThat(gapBytes("")).isEqualTo(1024 * MIB);
        assertThat(gapBytes("{\"gap_threshold_bytes\": -5}")).isEqualTo(1024 * MIB);
        assertThat(folder.toFile().list()).containsExactly("settings.json");
    }

    @Test
    void without_a_file_it_is_one_gib() {
        assertThat(new ThresholdOption(new SettingsFile(folder.resolve("none")))
                        .thresholds()
                        .gapBytes())
                .isEqualTo(1024 * MIB);
    }
}
