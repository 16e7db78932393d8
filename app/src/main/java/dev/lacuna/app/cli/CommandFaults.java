package dev.lacuna.app.cli;

import dev.lacuna.bridge.BridgeException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns what goes wrong in a command into one line on stderr and a documented status. */
final class CommandFaults implements IExecutionExceptionHandler, IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException fault, String[] args) {
        CommandLine command = fault.getCommandLine();
        command.getErr().println("lacuna: " + fault.getMessage());
        command.getErr()
                .println(CliTexts.text("usage.hint", command.getCommandSpec().qualifiedName()));
        return ExitStatus.USAGE.code();
    }

    @Override
    public int handleExecutionException(Exception fault, CommandLine command, ParseResult parsed) {
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
