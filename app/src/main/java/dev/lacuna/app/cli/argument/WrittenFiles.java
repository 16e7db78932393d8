package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The files that a command is asked to write: two of one name would leave only what is written last. */
public final class WrittenFiles {
    private static final Set<String> OPTIONS = Set.of("--png", "--csv", "--report", "-o");

    private WrittenFiles() {}

    /** Refuses a command line that names one file twice, before anything is done. */
    public static void requireApart(ParseResult parsed) {
        Map<Path, String> seen = new HashMap<>();
        for (ParseResult each = parsed; each != null; each = each.subcommand()) {
            for (OptionSpec option : each.matchedOptions()) {
                String before = isWritten(option) ? seen.put(target(option), option.longestName()) : null;
                if (before != null) {
                    throw new ParameterException(
                            each.commandSpec().commandLine(),
                            CliText.text("usage.same-file", before, option.longestName(), text(option)));
                }
            }
        }
    }

    private static boolean isWritten(OptionSpec option) {
        return List.of(option.names()).stream().anyMatch(OPTIONS::contains)
                && !option.originalStringValues().isEmpty();
    }

    private static Path target(OptionSpec option) {
        return Path.of(text(option)).toAbsolutePath().normalize();
    }

    private static String text(OptionSpec option) {
        List<String> values = option.originalStringValues();
        return values.get(values.size() - 1);
    }
}
