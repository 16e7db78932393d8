package dev.lacuna.app.cli.diagnose;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.files.FileKind;
import java.util.Locale;
import java.util.Optional;

/** What is said of a file that is no log, and of one without a report: what it is, and what reads it. */
final class WrongFile {
    private WrongFile() {}

    /** Why this input need not be read; empty where it may be a log. An empty file is a log in which nothing stands. */
    static Optional<String> of(LogInputs.Input input) {
        return input instanceof LogInputs.Input.File
                ? kind(input)
                        .filter(kind -> kind.isSomethingElse() && kind != FileKind.EMPTY)
                        .map(kind -> CliText.text("diagnose.is", CliText.text(key(kind))))
                : Optional.empty();
    }

    /** Why no report was found in this input. */
    static String withoutReport(LogInputs.Input input) {
        FileKind kind = kind(input).orElse(FileKind.LOG);
        return switch (kind) {
            case EMPTY, EMPTY_FOLDER -> CliText.text("diagnose.nothing", input.name(), CliText.text(key(kind)));
            case RECORDING, CONFIGURATION, LIFETIMES ->
                CliText.text("diagnose.none", input.name()) + CliText.text(key(kind));
            case LOG, FOLDER, PICTURE, DOCUMENT, ARCHIVE, PROGRAM, MODEL, BINARY ->
                CliText.text("diagnose.none", input.name());
        };
    }

    private static Optional<FileKind> kind(LogInputs.Input input) {
        if (input instanceof LogInputs.Input.WithoutLogs) {
            return Optional.of(FileKind.EMPTY_FOLDER);
        }
        return input instanceof LogInputs.Input.File file ? Optional.of(FileKind.of(file.path())) : Optional.empty();
    }

    private static String key(FileKind kind) {
        return "diagnose.kind." + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
