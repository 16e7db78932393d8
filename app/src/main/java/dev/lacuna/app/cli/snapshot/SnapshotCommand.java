package dev.lacuna.app.cli.snapshot;

import dev.lacuna.app.cli.argument.InputFaults;
import dev.lacuna.app.cli.argument.ThresholdOption;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.ReplayProgress;
import dev.lacuna.app.files.FileFormats;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna snapshot}: what a memory snapshot or trace holds, and its diagnosis. */
@Command(name = "snapshot", mixinStandardHelpOptions = true, sortOptions = false)
public final class SnapshotCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})\\.\\.([0-9]{1,9})");

    @Parameters(paramLabel = "FILE", arity = "1", descriptionKey = "file")
    private String file = "";

    @Option(names = "--events", paramLabel = "FROM..TO")
    private Optional<String> events = Optional.empty();

    @Mixin
    private Compared compared = new Compared();

    @Mixin
    private ChosenMoment moment = new ChosenMoment();

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Mixin
    private SnapshotTables tables = new SnapshotTables();

    @Mixin
    private ThresholdOption threshold = new ThresholdOption();

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Optional<LoadRange> range = events.map(this::range);
        if (report.isIncomplete()) {
            throw new ParameterException(spec.commandLine(), CliText.text("snapshot.redact"));
        }
        compared.fault(moment, report.isAsked(), tables.isAsked())
                .or(() -> compared.isAsked() ? tables.unasked() : tables.fault(moment))
                .ifPresent(fault -> {
                    throw new ParameterException(spec.commandLine(), fault);
                });
        Recording recording = read(file, range);
        report.write(recording, threshold.thresholds());
        if (tables.isAsked()) {
            tables.print(recording, moment, json);
            return ExitStatus.DONE.code();
        }
        if (compared.isAsked()) {
            SnapshotComparison comparison = compared.of(recording, moment, name -> read(name, range));
            JsonLine.print(System.out, json ? comparison.json().toString() : comparison.text());
            return ExitStatus.DONE.code();
        }
        print(recording);
        return ExitStatus.DONE.code();
    }

    private void print(Recording recording) {
        if (json) {
            recording.notices().forEach(SnapshotCommand::mention);
            JsonLine.print(System.out, SnapshotJson.of(recording, threshold.thresholds()));
        } else {
            JsonLine.print(System.out, new SnapshotText(recording, threshold.thresholds(), Locale.getDefault()).text());
        }
    }

    private Recording read(String name, Optional<LoadRange> range) {
        try {
            return open(name, range);
        } catch (IOException e) {
            String why = InputFaults.explanation(e);
            if (json) {
                JsonLine.print(System.out, SnapshotJson.error(name, why));
            }
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("replay.unreadable", name, why));
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("snapshot.memory", name));
        }
    }

    private Recording open(String name, Optional<LoadRange> range) throws IOException {
        ReplayProgress progress = new ReplayProgress("snapshot.progress");
        try {
            if (name.equals(STANDARD_INPUT)) {
                return FileFormats.recordings()
                        .open(System.in, name, new OpenRequest(range, (read, total) -> {}, () -> false));
            }
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                throw new IOException(CliText.text("snapshot.directory"));
            }
            ReplayProgress.Reading reading = progress.reading(OptionalLong.of(Files.size(path)));
            return FileFormats.recordings()
                    .open(path, new OpenRequest(range, (read, total) -> reading.readUpTo(read), () -> false));
        } catch (InvalidPathException e) {
            throw new IOException(CliText.text("diagnose.name"), e);
        } finally {
            progress.clear();
        }
    }

    private LoadRange range(String text) {
        Matcher matcher = RANGE.matcher(text);
        if (matcher.matches()) {
            int from = Integer.parseInt(matcher.group(1));
            int to = Integer.parseInt(matcher.group(2));
            if (from < to) {
                return new LoadRange.Events(from, to);
            }
        }
        throw new ParameterException(spec.commandLine(), CliText.text("snapshot.range", text));
    }

    private static void mention(RecordingNotice notice) {
        System.err.println("lacuna: " + notice.text(Locale.getDefault()));
    }
}
