package dev.lacuna.app.cli;

import dev.lacuna.app.cli.argument.NumberConverters;
import dev.lacuna.app.cli.argument.WrittenFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.plan.MethodHelp;
import dev.lacuna.app.cli.replay.PolicyHelp;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Builds the command line with its error handling: faults become one line on stderr and a documented status. */
public final class CommandLineFactory {
    /** The status for a fault in Lacuna. */
    public static final int FAULT = ExitStatus.FAULT.code();

    private CommandLineFactory() {}

    /** Runs the program; its documented status, whatever is thrown. */
    public static int run(String... args) {
        return run(() -> create(args), args);
    }

    /** An {@link Error} passes picocli and its handlers. */
    static int run(Supplier<CommandLine> program, String... args) {
        try {
            CommandLine line = program.get();
            tellFileOfThatName(line, args);
            return line.execute(args);
        } catch (Throwable fault) {
            return CommandFaults.broken(fault).code();
        }
    }

    /** A word that names a command is one; who meant the file of that name here is told how it is said. */
    private static void tellFileOfThatName(CommandLine line, String... args) {
        boolean command = args.length == 1 && line.getSubcommands().containsKey(args[0]);
        if (command && Files.isRegularFile(Path.of(args[0]))) {
            System.err.println("lacuna: " + CliText.text("usage.file.named", args[0]));
        }
    }

    /** The program as a picocli command line, with the commands that these words may be about; without words, the whole. */
    public static CommandLine create(String... words) {
        CommandLine line = new CommandLine(new LacunaCommand());
        Commands.addTo(line, words);
        line.setResourceBundle(CliText.bundle());
        line.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        CommandFaults faults = new CommandFaults();
        line.setExecutionExceptionHandler(faults);
        line.setParameterExceptionHandler(faults);
        line.setExecutionStrategy(parsed -> {
            WrittenFiles.requireApart(parsed);
            return new CommandLine.RunLast().execute(parsed);
        });
        line.getCommandSpec().exitCodeOnExecutionException(FAULT);
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().exitCodeOnExecutionException(FAULT));
        showExamplesWhole(line);
        line.getSubcommands().values().forEach(CommandLineFactory::showExamplesWhole);
        Optional.ofNullable(line.getSubcommands().get("replay")).ifPresent(PolicyHelp::showIn);
        Optional.ofNullable(line.getSubcommands().get("plan")).ifPresent(MethodHelp::showIn);
        NumberConverters.registerAt(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line;
    }

    /** An example that is wrapped is two commands where it is pasted. */
    private static void showExamplesWhole(CommandLine line) {
        line.getHelpSectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_FOOTER,
                        help -> Arrays.stream(help.commandSpec().usageMessage().footer())
                                .map(String::format)
                                .collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator())));
    }

    /** Says that output was lost and gives the status for it. */
    public static int outputLost(IOException why) {
        System.err.println("lacuna: " + CliText.text("output.lost", why.getMessage()));
        return ExitStatus.FAULT.code();
    }
}
