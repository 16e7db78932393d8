package dev.lacuna.app.cli.replay;

import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.OptimisationGain;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplayTimeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Replays as a table that a person reads at a glance; the best policy carries a mark. */
final class ReplayTable {
    private final String source;
    private final List<PolicyOutcome> rows;
    private final boolean withNeeds;
    private final boolean pressed;

    ReplayTable(String source, List<PolicyOutcome> rows) {
        this.source = source;
        this.rows = rows;
        this.withNeeds = rows.stream().allMatch(row -> row.need().isPresent());
        this.pressed = rows.stream()
                .anyMatch(
                        row -> row.result().ooms() > 0 || row.result().flushes().count() > 0);
    }

    String text() {
        ReplayResult any = rows.get(0).result();
        StringBuilder text = new StringBuilder(
                any.steps() == 0
                        ? CliText.text("replay.head", source, any.events())
                        : CliText.text("replay.head.steps", source, any.events(), any.steps()));
        text.append("\n\n").append(table().text()).append('\n');
        OptimisationGain.of(rows)
                .ifPresent(gain -> text.append('\n')
                        .append(String.join("\n", gain.sentences(Locale.getDefault())))
                        .append('\n'));
        text.append('\n').append(CliText.text(withNeeds ? "replay.gap.spare" : "replay.gap"));
        if (rows.stream().anyMatch(row -> row.isBestOf(rows))) {
            text.append('\n').append(CliText.text("replay.best"));
        }
        if (!withNeeds) {
            text.append('\n').append(CliText.text("replay.smallest.how"));
        }
        if (withNeeds || pressed) {
            text.append('\n').append(CliText.text("replay.flush"));
        }
        if (rows.stream().anyMatch(PolicyOutcome::foresight)) {
            text.append('\n').append(CliText.text("replay.foresight"));
        }
        switch (OpeningUse.ofAll(rows.stream().map(PolicyOutcome::result).toList())) {
            case TAKEN_OVER -> text.append('\n').append(CliText.text("replay.opening.taken"));
            case DOES_NOT_FIT -> text.append('\n').append(CliText.text("replay.opening.asked"));
            case ASKED_FOR -> {}
        }
        ReplayResult.recordedCap(rows.stream().map(PolicyOutcome::result).toList())
                .ifPresent(cap -> text.append('\n').append(CliText.text("replay.cap", cap)));
        if (any.truncated()) {
            text.append('\n').append(CliText.text("replay.truncated"));
        }
        if (any.odd().count() > 0) {
            text.append('\n')
                    .append(CliText.text(
                            "replay.odd", any.odd().count(), any.odd().firstText()));
        }
        if (rows.stream().anyMatch(row -> row.result().ooms() > 0)) {
            text.append('\n').append(CliText.text("replay.ooms"));
        }
        return text.toString();
    }

    private TextTable table() {
        TextTable table = TextTable.ofFigures();
        List<String> head = new ArrayList<>(List.of("  " + CliText.text("replay.column.policy")));
        if (withNeeds) {
            head.add(CliText.text("replay.column.smallest"));
            head.add(CliText.text("replay.column.flushes.there"));
            head.add(CliText.text("replay.column.spare"));
        } else {
            head.add(CliText.text("replay.column.reserved"));
        }
        head.add(CliText.text("replay.column.gap"));
        head.add(CliText.text("replay.column.fragmentation"));
        head.add(CliText.text("replay.column.ooms"));
        if (pressed) {
            head.add(CliText.text("replay.column.first"));
            head.add(CliText.text("replay.column.flushes"));
        }
        table.add(head);
        rows.forEach(row -> table.add(cells(row), look(row)));
        return table;
    }

    private UnaryOperator<String> look(PolicyOutcome row) {
        return row.isBestOf(rows)
                ? Style.out()::good
                : row.result().ooms() > 0 ? Style.out()::bad : UnaryOperator.identity();
    }

    private List<String> cells(PolicyOutcome row) {
        ReplayResult result = row.result();
        List<String> cells = new ArrayList<>(List.of((row.isBestOf(rows) ? "* " : "  ") + result.policy()));
        PeakGap gap = result.gap();
        if (withNeeds) {
            CardNeed need = row.need().orElseThrow();
            gap = need.withSpare();
            cells.add(smallest(need.smallestBytes()));
            cells.add(need.smallestBytes().isPresent() ? priced(need.flushes()) : "-");
        }
        cells.add(ByteSize.format(gap.peakReservedBytes()));
        cells.add(ByteSize.format(gap.bytes()));
        cells.add(String.format(Locale.ROOT, "%.1f %%", 100 * gap.fragmentation()));
        cells.add(grouped(result.ooms()));
        if (pressed) {
            cells.add(result.firstOom().isPresent() ? grouped(result.firstOom().getAsLong()) : "-");
            cells.add(priced(result.flushes()));
        }
        return cells;
    }

    /** How often, and what was given back by all of them. */
    private static String priced(Flushes flushes) {
        return flushes.count() == 0 ? "0" : grouped(flushes.count()) + " (" + ByteSize.format(flushes.bytes()) + ")";
    }

    private static String smallest(OptionalLong bytes) {
        return bytes.isPresent() ? ByteSize.format(bytes.getAsLong()) : CliText.text("replay.none.suffices");
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** The curves as figures: of each stretch of rows the highest values. */
    static Table curves(Map<String, ReplayTimeline> byPolicy) {
        List<String> columns = new ArrayList<>(List.of("#row", "#allocated_bytes"));
        byPolicy.keySet().forEach(name -> columns.add("#" + name + "_bytes"));
        ReplayTimeline first = byPolicy.values().iterator().next();
        return ChartFiles.table(columns, IntStream.range(0, first.stretches()).mapToObj(i -> {
            List<Object> row = new ArrayList<>(List.of(i * first.rowsPerStretch(), first.allocatedMax(i)));
            byPolicy.values().forEach(timeline -> row.add(timeline.reservedMax(i)));
            return row;
        }));
    }
}
