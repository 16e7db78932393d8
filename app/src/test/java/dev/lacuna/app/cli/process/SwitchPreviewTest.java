package dev.lacuna.app.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.counters.CacheByRules;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwitchPrices;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SwitchPreviewTest {
    private static final long MIB = 1 << 20;
    private static final SwitchPrices MEASURED = new SwitchPrices(20_000, 100_000, 4_000_000, 500_000);

    private static SwitchPreview preview(SwitchPrices prices, boolean compacts) {
        return SwitchPreview.of(
                SteppedSample.caching(new CacheByRules(301 * MIB, 20 * MIB, 0, prices)),
                Change.optimisation(true),
                compacts);
    }

    private static String json(SwitchPreview preview) {
        return JsonLine.of(out -> {
            out.writeStartObject();
            preview.write(out);
            out.writeEndObject();
        });
    }

    @Test
    void its_parts_are_told_and_add_up() {
        assertThat(json(preview(MEASURED, true)))
                .isEqualTo("{\"device\":0,\"optimisation\":\"on\",\"policy\":\"segregated\","
                        + "\"gives_back_bytes\":336592896,\"release_least_ms\":3.22,\"release_most_ms\":16.1,"
                        + "\"synchronise_most_ms\":4.0,\"takes_least_ms\":3.22,\"takes_most_ms\":20.1,"
                        + "\"compaction\":{\"moves_most_bytes\":1048576,\"takes_most_ms\":0.5}}");
    }

    @Test
    void people_read_a_range_of_milliseconds() {
        assertThat(String.join("\n", preview(MEASURED, true).lines().toList()))
                .contains("321 MiB", "3.2", "20", "4.0", "0.5");
        assertThat(preview(MEASURED, false).lines()).hasSize(2);
    }

    @Test
    void a_wait_that_was_never_needed_is_said_to_come_on_top() {
        SwitchPreview preview = preview(new SwitchPrices(20_000, 100_000, 0, 0), false);
        assertThat(json(preview))
                .contains("\"release_most_ms\":16.1,\"synchronise_most_ms\":null,\"takes_least_ms\":3.22,"
                        + "\"takes_most_ms\":null");
        assertThat(String.join("\n", preview.lines().toList()))
                .contains("16", CliText.text("set.preview.finish.unknown"));
    }

    @Test
    void what_was_never_measured_is_not_made_up() {
        assertThat(json(preview(SwitchPrices.UNKNOWN, true)))
                .contains("\"gives_back_bytes\":336592896,\"release_least_ms\":null,\"release_most_ms\":null,"
                        + "\"synchronise_most_ms\":null,\"takes_least_ms\":null,\"takes_most_ms\":null")
                .contains("\"takes_most_ms\":null}}");
        SwitchPreview untold = new SwitchPreview(
                SteppedSample.of(1, false, SwapCounters.NONE).devices().get(0), true, PoolPolicy.SEGREGATED, false);
        assertThat(json(untold)).contains("\"gives_back_bytes\":null").doesNotContain("compaction");
    }

    @Test
    void it_goes_with_a_change_of_rules_alone() {
        assertThat(refusal("4711", "optimisation=on", "fraction=0.5", "--preview"))
                .contains("--preview");
        assertThat(refusal("4711", "--swap", "on", "--preview")).contains("--preview");
        assertThat(new Change(0, Optional.of(true), OptionalDouble.empty(), true).isOfRules())
                .isTrue();
    }

    private static String refusal(String... words) {
        StringWriter said = new StringWriter();
        CommandLine set = new CommandLine(new SetCommand()).setErr(new PrintWriter(said));
        assertThat(set.execute(words)).isEqualTo(2);
        return said.toString().lines().findFirst().orElseThrow();
    }
}
