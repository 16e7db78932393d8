package dev.lacuna.app.cli.replay;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.OptimisationGain;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Replays as a table that a person reads at a glance; the best policy carries a mark. */
final class ReplayTable {
    private final String source;
    private final List<PolicyOutcome> rows;
    private final boolean withSmallest;

    ReplayTable(String source, List<PolicyOutcome> rows, boolean withSmallest) {
        this.source = source;
        this.rows = rows;
        this.withSmallest = withSmallest;
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
                        .append(gain.sentence(Locale.getDefault()))
                        .append('\n'));
        text.append('\n').append(CliText.text("replay.gap"));
        if (rows.stream().anyMatch(row -> row.isBestOf(rows))) {
            text.append('\n').append(CliText.text(withSmallest ? "replay.best.smallest" : "replay.best"));
        }
        if (rows.stream().anyMatch(PolicyOutcome::foresight)) {
            text.append('\n').append(CliText.text("replay.foresight"));
        }
        switch (OpeningUse.ofAll(rows.stream().map(PolicyOutcome::result).toList())) {
            case TAKEN_OVER -> text.append('\n').append(CliText.text("replay.opening.taken"));
            case DOES_NOT_FIT -> text.append('\n').append(CliText.text("replay.opening.asked"));
            case ASKED_FOR -> {}
        }
        if (any.truncated()) {
            text.append('\n').append(CliText.text("replay.truncated"));
        }
        if (rows.stream().anyMatch(row -> row.result().ooms() > 0)) {
            text.append('\n').append(CliText.text("replay.ooms"));
        }
        return text.toString();
    }

    private TextTable table() {
        TextTable table = new TextTable();
        List<String> head = new ArrayList<>(List.of(
                "  " + CliText.text("replay.column.policy"),
                CliText.text("replay.column.reserved"),
                CliText.text("replay.column.gap"),
                CliText.text("replay.column.fragmentation"),
                CliText.text("replay.column.ooms")));
        if (withSmallest) {
            head.add(CliText.text("replay.column.smallest"));
        }
        table.add(head);
        for (PolicyOutcome row : rows) {
            List<String> cells = new ArrayList<>(List.of(
                    (row.isBestOf(rows) ? "* " : "  ") + row.result().policy(),
                    ByteSize.format(row.result().peakReservedBytes()),
                    ByteSize.format(row.gapBytes()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * row.result().fragmentation()),
                    grouped(row.result().ooms())));
            if (withSmallest) {
                cells.add(smallest(row.smallestBytes()));
            }
            table.add(cells);
        }
        return table;
    }

    private static String smallest(OptionalLong bytes) {
        return bytes.isPresent() ? ByteSize.format(bytes.getAsLong()) : CliText.text("replay.none.suffices");
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
