package dev.lacuna.app.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReplayTableTest {
    private static final long GIB = 1L << 30;

    private static PolicyOutcome outcome(String policy, long reserved, long ooms, long smallest, boolean foresight) {
        return new PolicyOutcome(
                new ReplayResult(policy, 23_952, 3 * GIB, 3 * GIB, reserved, ooms, 0, 5, 0, 10),
                smallest == 0 ? OptionalLong.empty() : OptionalLong.of(smallest),
                foresight);
    }

    @Test
    void columns_line_up_also_where_characters_are_wide() {
        TextTable table = new TextTable();
        table.add(List.of("策略", "预留峰值"));
        table.add(List.of("caching", "1 GiB"));
        assertThat(table.text()).isEqualTo("策略      预留峰值\ncaching      1 GiB");
        assertThat(TextTable.width("策略 a")).isEqualTo(6);
    }

    @Test
    void the_best_rival_carries_the_mark_and_the_bound_none() {
        String text = new ReplayTable(
                        "run.csv",
                        List.of(
                                outcome("caching", 6 * GIB, 0, 0, false),
                                outcome("segregated", 4 * GIB, 0, 0, false),
                                outcome("planned", 3 * GIB, 0, 0, true)),
                        false)
                .text();
        assertThat(text.lines().filter(l -> l.startsWith("* "))).hasSize(2);
        assertThat(text).containsPattern("\\* segregated +4.00 GiB +1.00 GiB +25.0 % +0\n");
        assertThat(text).containsPattern("\n {2}caching +6.00 GiB +3.00 GiB +50.0 % +0\n");
        assertThat(text).contains("23,952");
    }

    @Test
    void smallest_capacities_have_a_column_only_when_asked_for() {
        List<PolicyOutcome> rows = List.of(
                outcome("caching", 6 * GIB, 0, 5 * GIB, false), outcome("segregated", 7 * GIB, 0, 4 * GIB, false));
        assertThat(new ReplayTable("run.csv", rows, true).text())
                .containsPattern("\\* segregated .*4.00 GiB")
                .containsPattern(" {2}caching .*5.00 GiB");
        assertThat(new ReplayTable("run.csv", rows, false).text()).doesNotContain("SMALLEST CAPACITY");
    }

    @Test
    void the_document_has_null_where_no_capacity_suffices() {
        PolicyOutcome none = outcome("caching", 6 * GIB, 1, 0, false);
        assertThat(ReplayJson.of(List.of(none), true))
                .contains("\"min_capacity_bytes\":null")
                .contains("\"remaps_per_step\":0.0")
                .contains("\"fragmentation\":0.5");
        assertThat(ReplayJson.of(List.of(none), false)).doesNotContain("min_capacity");
    }

    @Test
    void says_how_a_late_recording_began_under_the_table_and_in_the_document() {
        PolicyOutcome asked = began("segregated", OpeningUse.ASKED_FOR);
        PolicyOutcome taken = began("caching", OpeningUse.TAKEN_OVER);
        PolicyOutcome tight = began("caching", OpeningUse.DOES_NOT_FIT);
        assertThat(new ReplayTable("late", List.of(asked, taken), false).text())
                .contains(CliText.text("replay.opening.taken"));
        assertThat(new ReplayTable("late", List.of(tight, asked), false).text())
                .contains(CliText.text("replay.opening.asked"))
                .doesNotContain(CliText.text("replay.opening.taken"));
        assertThat(new ReplayTable("whole", List.of(asked), false).text())
                .doesNotContain(CliText.text("replay.opening.asked"));
        assertThat(ReplayJson.of(List.of(asked, taken), false))
                .contains("\"opening\":\"asked-for\"")
                .contains("\"opening\":\"taken-over\"");
    }

    private static PolicyOutcome began(String policy, OpeningUse use) {
        return new PolicyOutcome(
                new ReplayResult(policy, 10, GIB, GIB, 2 * GIB, 0, 0, 5, 0, 0, OptionalLong.empty(), use, false),
                OptionalLong.empty(),
                false);
    }
}
