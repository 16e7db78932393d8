package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.SavedRecording;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.file.UnwritableException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lacuna record PID -o FILE}: saves a living process as a trace, until it ends or somebody says so; one that was not prepared
 * as a memory snapshot of so many steps or seconds.
 */
@Command(name = "record", mixinStandardHelpOptions = true, sortOptions = false)
public final class RecordCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            required = true,
            descriptionKey = "output")
    private String output = "";

    @Option(names = "--steps", paramLabel = "N")
    private Integer steps;

    @Option(names = "--seconds", paramLabel = "N")
    private Integer seconds;

    @Option(names = "--entries", paramLabel = "N")
    private Integer entries;

    @Mixin
    private FirstChange first;

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        StockRecording stock = stock();
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            if (process.process().isStock()) {
                stock.requireFolder();
                first.require(process, json);
                return stock.run(process, json);
            }
        }
        if (stock.isBounded()) {
            throw new CommandFailure(ExitStatus.PROCESS, CliText.text("record.bounded", String.valueOf(pid)));
        }
        ProcessRecording recording = begin();
        Thread stopping = new Thread(() -> stop(recording), "lacuna-end-of-recording");
        Runtime.getRuntime().addShutdownHook(stopping);
        System.err.println("lacuna: " + CliText.text("record.runs", String.valueOf(pid)));
        int status = await(recording);
        try {
            Runtime.getRuntime().removeShutdownHook(stopping);
        } catch (IllegalStateException e) {
            // Told to end in the same moment: the hook has the last word, and prints what is printed here.
            Thread.sleep(Long.MAX_VALUE);
        }
        return status;
    }

    private StockRecording stock() {
        for (Integer number : Arrays.asList(steps, seconds, entries)) {
            if (number != null && number <= 0) {
                throw new ParameterException(spec.commandLine(), CliText.text("record.number", number.toString()));
            }
        }
        if (steps != null && seconds != null) {
            throw new ParameterException(spec.commandLine(), CliText.text("record.both"));
        }
        try {
            return new StockRecording(
                    Path.of(output).toAbsolutePath().normalize(), number(steps), number(seconds), number(entries));
        } catch (InvalidPathException e) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("diagnose.name"));
        }
    }

    private static OptionalInt number(Integer given) {
        return given == null ? OptionalInt.empty() : OptionalInt.of(given);
    }

    private ProcessRecording begin() throws BridgeException {
        try {
            TrainingProcesses processes = Bridge.processes();
            try (AttachedProcess found = processes.attach(pid)) {
                return processes.record(found.process(), Path.of(output));
            }
        } catch (InvalidPathException e) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("diagnose.name"));
        } catch (IOException e) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("record.unwritable", output, why(e)));
        }
    }

    /** SIGINT or SIGTERM: the recording ends in good order, and so does the program. */
    private void stop(ProcessRecording recording) {
        recording.stop();
        int status = ExitStatus.FAULT.code();
        try {
            status = report(recording.ended());
        } catch (CommandFailure e) {
            System.err.println("lacuna: " + e.getMessage());
            status = e.status().code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    private int await(ProcessRecording recording) throws InterruptedException {
        try {
            if (!recording.ended().get().byItself()) {
                // Somebody stopped it: the hook prints and ends the program.
                Thread.sleep(Long.MAX_VALUE);
            }
        } catch (ExecutionException e) {
            // Told below.
            System.getLogger(RecordCommand.class.getName()).log(System.Logger.Level.DEBUG, "recording failed", e);
        }
        return report(recording.ended());
    }

    private int report(CompletableFuture<SavedRecording> ended) throws InterruptedException {
        try {
            SavedRecording end = ended.get();
            print(end);
            return ExitStatus.DONE.code();
        } catch (ExecutionException e) {
            // A full disk is no fault of ours.
            ExitStatus status = e.getCause() instanceof IOException ? ExitStatus.INPUT : ExitStatus.FAULT;
            throw new CommandFailure(status, CliText.text("record.failed", output, why(e.getCause())));
        }
    }

    private void print(SavedRecording end) {
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeArrayFieldStart("files");
                for (Path file : end.files()) {
                    out.writeString(file.toString());
                }
                out.writeEndArray();
                out.writeNumberField("events", end.events());
                out.writeNumberField("lost_events", end.lostEvents());
                out.writeBooleanField("process_ended", end.byItself());
                out.writeEndObject();
            }));
            return;
        }
        String lost = CliText.text("record.lost", String.valueOf(end.lostEvents()));
        for (Path file : end.files()) {
            JsonLine.print(System.out, CliText.text("record.saved", file.toString(), end.events(), lost));
        }
        if (end.files().isEmpty()) {
            JsonLine.print(System.out, CliText.text("record.nothing", String.valueOf(pid)));
        }
    }

    private static String why(Throwable fault) {
        if (fault instanceof NoSuchFileException) {
            return CliText.text("record.folder");
        }
        Throwable told = fault instanceof IOException unwritable ? UnwritableException.of(unwritable) : fault;
        return told.getLocalizedMessage() == null ? told.toString() : told.getLocalizedMessage();
    }
}
