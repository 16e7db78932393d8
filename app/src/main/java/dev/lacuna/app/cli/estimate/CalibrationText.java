package dev.lacuna.app.cli.estimate;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.estimate.Calibration;
import dev.lacuna.core.estimate.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** An estimate beside what was measured, and what would explain the difference. */
final class CalibrationText {
    private CalibrationText() {}

    static String of(Calibration calibration, Estimate estimate) {
        List<String> lines = new ArrayList<>();
        TextTable table = TextTable.ofFigures();
        row(table, "calibration.estimated", Math.round(calibration.estimatedBytes()));
        row(table, "calibration.measured", calibration.measured().allocatedBytes());
        row(table, "calibration.gap", calibration.gapBytes());
        row(table, "calibration.outside", calibration.measured().outsideBytes());
        if (!calibration.isOtherModel()) {
            row(table, "calibration.device", Math.round(calibration.deviceBytes()));
        }
        lines.add(Style.out().heading(CliText.text("calibration.head", Integer.toString(calibration.stage()))));
        lines.add(table.text());
        if (calibration.isOtherModel()) {
            lines.add(Style.out().bad(otherModel(calibration)));
            return String.join("\n", lines);
        }
        String share = String.format(Locale.ROOT, "%+.1f %%", 100 * calibration.difference());
        lines.add(
                calibration.agrees()
                        ? Style.out().good(CliText.text("calibration.agrees", share))
                        : Style.out().bad(CliText.text("calibration.differs", share)));
        calibration
                .explanations()
                .forEach(e -> lines.add("  "
                        + CliText.text(
                                "calibration.would",
                                e.text(Locale.getDefault()),
                                ByteSize.format(Math.round(e.bytes())))));
        if (!calibration.agrees() && calibration.explanations().isEmpty()) {
            lines.add("  " + CliText.text("calibration.unexplained"));
        }
        calibration
                .overheadBytes(estimate.configuration().training().overheadBytes())
                .ifPresent(bytes -> lines.add("  " + CliText.text("calibration.overhead", ByteSize.format(bytes))));
        return String.join("\n", lines);
    }

    /** Two models have no settings to compare, and no sum. */
    private static String otherModel(Calibration calibration) {
        return CliText.text(
                "calibration.other",
                ByteSize.format(Math.round(calibration.estimatedBytes())),
                ByteSize.format(calibration.measured().allocatedBytes()));
    }

    private static void row(TextTable table, String key, long bytes) {
        // No head: each row speaks for itself.
        table.add(List.of(CliText.text(key), ByteSize.format(bytes)), UnaryOperator.identity());
    }
}
