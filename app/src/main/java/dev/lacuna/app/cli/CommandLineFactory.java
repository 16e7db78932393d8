package dev.lacuna.app.cli;

import dev.lacuna.bridge.BridgeException;
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
        line.setExecutionExceptionHandler((fault, command, parsed) -> report(fault, command));
        line.setParameterExceptionHandler(CommandLineFactory::usage);
        line.registerConverter(Long.class, NumberConverters::whole);
        line.registerConverter(long.class, NumberConverters::whole);
        line.registerConverter(Integer.class, NumberConverters::wholeInt);
        line.registerConverter(int.class, NumberConverters::wholeInt);
        line.registerConverter(Double.class, NumberConverters::fractional);
        line.registerConverter(double.class, NumberConverters::fractional);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line;
    }

    /** Says that output was lost and gives the status for it. */
    public static int outputLost(IOException why) {
        System.err.println("lacuna: " + CliTexts.text("output.lost", why.getMessage()));
        return ExitStatus.FAULT.code();
    }

    private static int usage(CommandLine.ParameterException fault, String[] args) {
        CommandLine command = fault.getCommandLine();
        command.getErr().println("lacuna: " + fault.getMessage());
        command.getErr()
                .println(CliTexts.text("usage.hint", command.getCommandSpec().qualifiedName()));
        return ExitStatus.USAGE.code();
    }

    private static int report(Exception fault, CommandLine command) {
        if (fault instanceof OutputClosedException) {
            return ExitStatus.DONE.code();
        }
        ExitStatus status = statusOf(fault);
        if (status == ExitStatus.FAULT) {
            fault.printStackTrace(command.getErr());
            command.getErr().println("lacuna: " + CliTexts.text("fault", fault.toString()));
        } else {
            command.getErr().println("lacuna: " + fault.getMessage());
        }
        return status.code();
    }

    private static ExitStatus statusOf(Exception fault) {
        if (fault instanceof CommandFailure failure) {
            return failure.status();
        }
        if (fault instanceof BridgeException bridge) {
            return switch (bridge.reason()) {
                case GONE, NOT_PERMITTED, TIMED_OUT -> ExitStatus.PROCESS;
                case UNREADABLE -> ExitStatus.INPUT;
                case SYSTEM -> ExitStatus.FAULT;
            };
        }
        return ExitStatus.FAULT;
    }
}
