package dev.lacuna.app.cli.snapshot;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.ProgramName;
import dev.lacuna.core.base.TextWidth;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.snapshot.Findings;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** An opened recording as text for people, no line wider than a terminal. */
final class SnapshotText {
    private static final int COLUMNS = 80;

    /** Findings are sorted by weight: a screenful is what anybody reads. */
    private static final int MOST_FINDINGS = 8;

    private final Recording recording;
    private final Locale locale;
    private final Thresholds thresholds;
    private final List<String> lines = new ArrayList<>();

    SnapshotText(Recording recording, Thresholds thresholds, Locale locale) {
        this.recording = recording;
        this.thresholds = thresholds;
        this.locale = locale;
    }

    /** The lines without a newline at the end. */
    String text() {
        wrapped("", CliText.text("snapshot.head", recording.source(), formatName()));
        recording.notices().forEach(notice -> wrapped("  ", notice.text(locale)));
        recording.devices().stream().filter(d -> !d.isEmpty()).forEach(this::device);
        if (recording.devices().stream().allMatch(DeviceHistory::isEmpty)) {
            wrapped("  ", CliText.text("snapshot.empty"));
        }
        return String.join("\n", lines);
    }

    private String formatName() {
        String key = "snapshot.format." + recording.format();
        return CliText.bundle().containsKey(key) ? CliText.text(key) : recording.format();
    }

    private void device(DeviceHistory device) {
        DeviceFigures figures = device.figures();
        lines.add("");
        String name = device.device() == DeviceHistory.HOST
                ? CliText.text("snapshot.host")
                : CliText.text("snapshot.device", String.valueOf(device.device()));
        int before = device.size() > 0 ? device.openingAllocations() : 0;
        lines.add(Style.out()
                .heading(CliText.text(
                        "snapshot.counts", name, figures.segments(), figures.blocks(), device.size(), before)));
        TextTable table = TextTable.ofFigures();
        row(table, "snapshot.reserved", figures.reservedBytes());
        row(table, "snapshot.allocated", figures.allocatedBytes());
        row(table, "snapshot.rounding", figures.roundingBytes());
        row(table, "snapshot.gap", figures.gap().totalBytes());
        row(table, "snapshot.releasable", figures.gap().releasableBytes());
        row(table, "snapshot.split", figures.gap().splitBytes());
        row(table, "snapshot.pending", figures.gap().pendingBytes());
        row(table, "snapshot.largest", figures.largestFreeBytes());
        table.text().lines().forEach(line -> lines.add("  " + line));
        if (figures.ooms() > 0) {
            lines.add(Style.out().bad("  " + CliText.text("snapshot.ooms", count(figures.ooms()))));
        }
        findings(Findings.of(device, recording.annotations(), Redaction.NONE, thresholds));
    }

    private static void row(TextTable table, String key, long bytes) {
        // No head: each row speaks for itself.
        table.add(List.of(CliText.text(key), ByteSize.format(bytes)), UnaryOperator.identity());
    }

    private void findings(List<Finding> findings) {
        for (Finding finding : findings.subList(0, Math.min(MOST_FINDINGS, findings.size()))) {
            lines.add("");
            wrapped("  * ", DiagnosisText.render(locale, finding.summary()));
            wrapped("    ", DiagnosisText.render(locale, finding.explanation()));
            finding.remedies().stream().findFirst().ifPresent(this::remedy);
        }
        if (findings.size() > MOST_FINDINGS) {
            lines.add("");
            lines.add("  " + CliText.text("snapshot.more", findings.size() - MOST_FINDINGS));
        }
    }

    private void remedy(Remedy remedy) {
        wrapped("    -> ", DiagnosisText.render(locale, remedy.title()));
        // A command is copied: it stays on one line, however long.
        remedy.command()
                .map(ProgramName::command)
                .ifPresent(command ->
                        command.lines().forEach(line -> lines.add(Style.out().good("       $ " + line))));
    }

    private String count(long number) {
        return String.format(locale, "%,d", number);
    }

    /** Adds a text in lines that fit; those after the first are indented as far. Chinese breaks anywhere. */
    private void wrapped(String lead, String text) {
        String indent = " ".repeat(TextWidth.of(lead));
        StringBuilder line = new StringBuilder(lead);
        int width = TextWidth.of(lead);
        for (String word : text.split("(?<= )|(?<=[\\u2E80-\\uFFFD])")) {
            int wide = TextWidth.of(word.stripTrailing());
            if (width + wide > COLUMNS && width > indent.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
                width = indent.length();
            }
            line.append(word);
            width += TextWidth.of(word);
        }
        lines.add(line.toString().stripTrailing());
    }
}
