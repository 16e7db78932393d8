package dev.lacuna.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Builds the command line with its error handling: faults become one line on stderr and a documented status. */
public final class CommandLineFactory {
    private CommandLineFactory() {}

    /** The whole program as a picocli command line. */
    public static CommandLine create() {
        CommandLine line = new CommandLine(new LacunaCommand());
        line.setResourceBundle(CliTexts.bundle());
        line.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        CommandFaults faults = new CommandFaults();
        line.setExecutionExceptionHandler(faults);
        line.setParameterExceptionHandler(faults);
        NumberConverters.registerAt(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line;
    }

    /** Says that output was lost and gives the status for it. */
    public static int outputLost(IOException why) {
        System.err.println("lacuna: " + CliTexts.text("output.lost", why.getMessage()));
        return ExitStatus.FAULT.code();
    }
}
