package dev.lacuna.app.cli;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.OutputClosedException;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.bridge.BridgeException;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what goes wrong in a command into one line on stderr and a documented status. */
final class CommandFaults implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private static final int MOST_FRAMES = 60;

    @Override
    public int handleParseException(ParameterException fault, String[] args) {
        CommandLine command = fault.getCommandLine();
        command.getErr().println(Style.err().bad("lacuna: " + explained(fault)));
        command.getErr()
                .println(Style.err()
                        .hint(CliText.text(
                                "usage.hint", command.getCommandSpec().qualifiedName())));
        return ExitStatus.USAGE.code();
    }

    /** What picocli says in English only is said in the user's language. */
    private static String explained(ParameterException fault) {
        if (fault instanceof UnmatchedArgumentException unmatched) {
            return CliText.text("usage.unknown", String.join(" ", unmatched.getUnmatched()));
        }
        if (fault instanceof MissingParameterException missing) {
            return CliText.text(
                    "usage.missing",
                    missing.getMissing().stream().map(CommandFaults::named).collect(Collectors.joining(" ")));
        }
        if (fault.getCause() instanceof TypeConversionException wrong && fault.getArgSpec() != null) {
            return CliText.text("usage.value", named(fault.getArgSpec()), wrong.getMessage());
        }
        return fault.getMessage();
    }

    private static String named(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    @Override
    public int handleExecutionException(Exception fault, CommandLine command, ParseResult parsed) {
        if (fault instanceof OutputClosedException) {
            return ExitStatus.DONE.code();
        }
        ExitStatus status = statusOf(fault);
        if (status == ExitStatus.FAULT) {
            return broken(fault).code();
        }
        command.getErr().println(Style.err().bad("lacuna: " + fault.getMessage()));
        return status.code();
    }

    /** Says that Lacuna itself failed, after where. */
    static ExitStatus broken(Throwable fault) {
        if (fault instanceof OutOfMemoryError) {
            System.err.println("lacuna: " + CliText.text("fault.memory"));
            return ExitStatus.FAULT;
        }
        StackTraceElement[] trace = fault.getStackTrace();
        if (trace.length > MOST_FRAMES) {
            // A recursion without end has a thousand that are alike.
            fault.setStackTrace(Arrays.copyOf(trace, MOST_FRAMES));
        }
        fault.printStackTrace(System.err);
        System.err.println("lacuna: " + CliText.text("fault", fault.toString()));
        return ExitStatus.FAULT;
    }

    private static ExitStatus statusOf(Exception fault) {
        if (fault instanceof CommandFailure failure) {
            return failure.status();
        }
        if (fault instanceof BridgeException bridge) {
            return switch (bridge.reason()) {
                case GONE, AMBIGUOUS, NOT_PERMITTED, TIMED_OUT -> ExitStatus.PROCESS;
                case UNREADABLE -> ExitStatus.INPUT;
                case SYSTEM -> ExitStatus.FAULT;
            };
        }
        return ExitStatus.FAULT;
    }
}
