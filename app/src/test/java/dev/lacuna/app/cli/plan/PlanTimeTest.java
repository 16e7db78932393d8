package dev.lacuna.app.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.app.cli.CommandLineFactory;
import dev.lacuna.app.cli.argument.TimeLimitConverter;
import dev.lacuna.core.planning.PlanningProgress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

/** What planning says of the time that it takes, and what ends it. */
class PlanTimeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final PlanningProgress HALFWAY = new PlanningProgress("revolve", 1L << 30, 3, 6, Optional.empty());

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final AtomicLong clockNs = new AtomicLong(5 * SECOND);

    private PlanProgress progress(boolean terminal) {
        return new PlanProgress(new PrintStream(said, true, StandardCharsets.UTF_8), terminal, clockNs::get, 120);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nothing_is_said_in_the_first_second() {
        PlanProgress progress = progress(false);
        clockNs.addAndGet(SECOND - 1);
        progress.at(HALFWAY);
        assertThat(said()).isEmpty();
    }

    @Test
    void elsewhere_than_on_a_terminal_a_line_comes_every_five_seconds() {
        PlanProgress progress = progress(false);
        for (int tenth = 0; tenth < 120; tenth++) {
            progress.at(HALFWAY);
            clockNs.addAndGet(SECOND / 10);
        }
        assertThat(said().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("lacuna: revolve at 1.00 GiB: 3 of 6"))
                .last()
                .asString()
                .endsWith("11 s of at most 120 s");
    }

    @Test
    void on_a_terminal_one_line_changes_and_is_gone_in_the_end() {
        PlanProgress progress = progress(true);
        clockNs.addAndGet(2 * SECOND);
        progress.at(HALFWAY);
        assertThat(said()).startsWith("\r\u001B[Krevolve at 1.00 GiB").doesNotContain("\n");
        progress.close();
        assertThat(said()).endsWith("\r\u001B[K");
        clockNs.addAndGet(60 * SECOND);
        progress.at(HALFWAY);
        assertThat(said()).endsWith("120 s\r\u001B[K");
    }

    @Test
    void a_time_limit_has_a_unit_and_is_at_most_a_day() {
        TimeLimitConverter converter = new TimeLimitConverter();
        assertThat(converter.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(converter.convert("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(converter.convert("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(converter.convert("24h")).isEqualTo(Duration.ofHours(24));
        for (String wrong : new String[] {"30", "s", "-1s", "1.5s", "25h", "99999999s"}) {
            assertThatThrownBy(() -> converter.convert(wrong))
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("'" + wrong + "'");
        }
    }

    /** Each point of a limit of nothing is a plan that is no better than its bound, or a reason. */
    @Test
    void what_ends_early_is_told_in_json_and_never_called_proven(@TempDir Path folder) throws Exception {
        StringBuilder layers = new StringBuilder();
        for (int i = 0; i < 24; i++) {
            layers.append(i == 0 ? "" : ",")
                    .append("{\"forward_ms\":1,\"backward_ms\":2,\"output_bytes\":1048576,\"saved_bytes\":")
                    .append((i + 1) << 20)
                    .append('}');
        }
        Path file = Files.writeString(
                folder.resolve("chain.json"),
                "{\"input_bytes\":1048576,\"fixed_bytes\":0,\"layers\":[" + layers + "]}");
        JsonNode usual = plan(file);
        assertThat(usual.path("ended_early").asBoolean(true)).isFalse();
        assertThat(usual.path("time_limit_s").asDouble()).isEqualTo(120);
        JsonNode none = plan(file, "--time-limit", "0ms");
        assertThat(none.path("ended_early").asBoolean()).isTrue();
        assertThat(none.path("points")).isNotEmpty().allSatisfy(point -> {
            if (point.path("ended_early").asBoolean()) {
                assertThat(point.path("proven").asBoolean()).isFalse();
            }
            if (point.path("least_overhead").isNumber()) {
                assertThat(point.path("overhead").asDouble())
                        .isGreaterThanOrEqualTo(point.path("least_overhead").asDouble() - 1e-9);
            }
        });
    }

    private static JsonNode plan(Path file, String... options) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            String[] words = new String[options.length + 3];
            words[0] = "plan";
            words[1] = file.toString();
            words[2] = "--json";
            System.arraycopy(options, 0, words, 3, options.length);
            assertThat(CommandLineFactory.create().execute(words)).isZero();
        } finally {
            System.setOut(before);
        }
        return new ObjectMapper().readTree(out.toByteArray());
    }
}
