package dev.lacuna.app.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.TextWidth;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.trace.model.OddRows;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReplayTableTest {
    private static final long GIB = 1L << 30;

    private static PolicyOutcome outcome(String policy, long reserved, long ooms, long smallest, boolean foresight) {
        return new PolicyOutcome(
                new ReplayResult(policy, 23_952, 3 * GIB, 3 * GIB, reserved, ooms, 0, 5, 0, 10),
                smallest == 0
                        ? Optional.empty()
                        : Optional.of(new CardNeed(
                                OptionalLong.of(smallest),
                                new Flushes(1_214, 9 * GIB),
                                new PeakGap(reserved, 3 * GIB))),
                foresight);
    }

    @Test
    void columns_line_up_also_where_characters_are_wide() {
        TextTable table = TextTable.ofFigures();
        table.add(List.of("策略", "预留峰值"));
        table.add(List.of("caching", "1 GiB"));
        assertThat(table.text()).isEqualTo("策略      预留峰值\ncaching      1 GiB");
        assertThat(TextWidth.of("策略 a")).isEqualTo(6);
    }

    @Test
    void the_smallest_card_leads_and_the_best_rival_carries_the_mark() {
        String text = new ReplayTable(
                        "run.csv",
                        List.of(
                                outcome("caching", 6 * GIB, 0, 5 * GIB, false),
                                outcome("segregated", 7 * GIB, 0, 4 * GIB, false),
                                outcome("planned", 3 * GIB, 0, 3 * GIB, true)))
                .text();
        assertThat(text.lines().filter(l -> l.startsWith("* "))).hasSize(2);
        assertThat(text)
                .containsPattern("\\* segregated +4.00 GiB +1,214 \\(9.00 GiB\\) +7.00 GiB +4.00 GiB +57.1 % +0\n")
                .containsPattern("\n {2}caching +5.00 GiB +1,214 \\(9.00 GiB\\) +6.00 GiB +3.00 GiB +50.0 % +0\n")
                .contains(CliText.text("replay.column.spare"))
                .contains("23,952");
    }

    @Test
    void without_the_smallest_cards_nobody_is_best_and_the_peak_is_this_devices() {
        List<PolicyOutcome> rows =
                List.of(outcome("caching", 6 * GIB, 0, 0, false), outcome("segregated", 4 * GIB, 0, 0, false));
        assertThat(new ReplayTable("run.csv", rows).text())
                .doesNotContain("* segregated")
                .doesNotContain(CliText.text("replay.column.smallest"))
                .contains(CliText.text("replay.column.reserved"), CliText.text("replay.smallest.how"));
    }

    @Test
    void the_document_has_null_where_no_capacity_suffices() {
        PolicyOutcome failed = outcome("caching", 6 * GIB, 1, 0, false);
        PolicyOutcome none = new PolicyOutcome(
                failed.result(), Optional.of(new CardNeed(OptionalLong.empty(), Flushes.NONE, PeakGap.NONE)), false);
        assertThat(ReplayJson.of(List.of(none)))
                .contains("\"min_capacity_bytes\":null")
                .contains("\"remaps_per_step\":0.0")
                .contains("\"fragmentation\":0.5")
                .contains("\"gap_bytes\":" + 3 * GIB);
        assertThat(ReplayJson.of(List.of(failed))).doesNotContain("min_capacity");
    }

    @Test
    void says_how_a_late_recording_began_under_the_table_and_in_the_document() {
        PolicyOutcome asked = began("segregated", OpeningUse.ASKED_FOR);
        PolicyOutcome taken = began("caching", OpeningUse.TAKEN_OVER);
        PolicyOutcome tight = began("caching", OpeningUse.DOES_NOT_FIT);
        assertThat(new ReplayTable("late", List.of(asked, taken)).text())
                .contains(CliText.text("replay.opening.taken"));
        assertThat(new ReplayTable("late", List.of(tight, asked)).text())
                .contains(CliText.text("replay.opening.asked"))
                .doesNotContain(CliText.text("replay.opening.taken"));
        assertThat(new ReplayTable("whole", List.of(asked)).text())
                .doesNotContain(CliText.text("replay.opening.asked"));
        assertThat(ReplayJson.of(List.of(asked, taken)))
                .contains("\"opening\":\"asked-for\"")
                .contains("\"opening\":\"taken-over\"");
    }

    @Test
    void says_under_which_recorded_cap_the_devices_figures_are() {
        PolicyOutcome capped = began("caching", OpeningUse.ASKED_FOR, OptionalDouble.of(0.0499999999));
        assertThat(new ReplayTable("run.csv", List.of(capped)).text())
                .contains("with a cap of 0.05, as recorded; --fraction 1 replays without");
        assertThat(ReplayJson.of(List.of(capped))).contains("\"recorded_fraction\":0.0499999999");
        PolicyOutcome whole = began("caching", OpeningUse.ASKED_FOR);
        assertThat(new ReplayTable("run.csv", List.of(whole)).text()).doesNotContain("--fraction 1");
        assertThat(ReplayJson.of(List.of(whole))).doesNotContain("recorded_fraction");
    }

    private static PolicyOutcome began(String policy, OpeningUse use) {
        return began(policy, use, OptionalDouble.empty());
    }

    private static PolicyOutcome began(String policy, OpeningUse use, OptionalDouble cap) {
        return new PolicyOutcome(
                new ReplayResult(
                        policy,
                        10,
                        GIB,
                        GIB,
                        2 * GIB,
                        0,
                        0,
                        5,
                        0,
                        0,
                        OptionalLong.empty(),
                        use,
                        false,
                        OddRows.NONE,
                        Flushes.NONE,
                        cap),
                Optional.empty(),
                false);
    }
}
