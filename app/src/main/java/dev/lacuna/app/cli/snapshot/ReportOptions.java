package dev.lacuna.app.cli.snapshot;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.version.ProgramVersion;
import dev.lacuna.core.base.file.UnwritableException;
import dev.lacuna.core.base.file.WholeFile;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.report.HtmlReport;
import dev.lacuna.core.diagnosis.report.ReportContents;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.model.Recording;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** {@code --report OUT.html [--redact]} of {@code lacuna snapshot}: what the window's export writes, without the window. */
final class ReportOptions {
    @Option(names = "--report", paramLabel = "OUT.html")
    private Optional<Path> target = Optional.empty();

    @Option(names = "--redact")
    private boolean redact;

    /** Whether names are to be replaced in a report that is not asked for. */
    boolean isIncomplete() {
        return redact && target.isEmpty();
    }

    /** Whether there is to be a report. */
    boolean isAsked() {
        return target.isPresent();
    }

    /** Writes the report of what was loaded, where one is asked for. */
    void write(Recording recording, Thresholds thresholds) {
        if (target.isEmpty()) {
            return;
        }
        Redaction redaction = redact ? Redaction.salted(UUID.randomUUID().toString()) : Redaction.NONE;
        String html = HtmlReport.of(new ReportContents(
                recording, Optional.empty(), ProgramVersion.text(), Locale.getDefault(), redaction, thresholds));
        try {
            WholeFile.write(target.get(), html);
        } catch (UnwritableException e) {
            throw new CommandFailure(
                    ExitStatus.INPUT,
                    CliText.text("snapshot.report.failed", target.get().toString(), e.text(Locale.getDefault())));
        }
    }
}
