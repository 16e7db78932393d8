package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.RecordingOrder;
import dev.lacuna.bridge.StockControl.RecordingState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A recording that an attached process makes of itself: a history of its blocks for a while, saved as a memory snapshot.
 *
 * @param target absolute
 * @param steps whole steps
 * @param seconds where no steps are given
 * @param entries the most that are kept
 */
record StockRecording(Path target, OptionalInt steps, OptionalInt seconds, OptionalInt entries) {
    private static final int USUAL_SECONDS = 10;
    private static final long PAUSE_MS = 100;

    /** Whether anything was said that only such a recording takes. */
    boolean isBounded() {
        return steps.isPresent() || seconds.isPresent() || entries.isPresent();
    }

    /** @throws CommandFailure where there is no folder for it */
    void requireFolder() {
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailure(
                    ExitStatus.INPUT,
                    CliText.text("record.unwritable", target.toString(), CliText.text("record.folder")));
        }
    }

    /** Has it recorded, and waits for the file. */
    int run(AttachedProcess process, boolean json) throws BridgeException, InterruptedException {
        StockControl stock = StockProcess.of(process);
        Answers.given(stock.record(new RecordingOrder(target, steps, seconds.orElse(USUAL_SECONDS), entries)));
        System.err.println("lacuna: "
                + CliText.text(
                        "record.stock",
                        process.process().id().toString(),
                        steps.isPresent()
                                ? CliText.text("record.steps", steps.getAsInt())
                                : CliText.text("record.seconds", seconds.orElse(USUAL_SECONDS))));
        await(process, stock);
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeArrayFieldStart("files");
                out.writeString(target.toString());
                out.writeEndArray();
                out.writeStringField("format", "pytorch-snapshot");
                out.writeEndObject();
            }));
        } else {
            JsonLine.print(System.out, CliText.text("record.snapshot", target.toString()));
        }
        return ExitStatus.DONE.code();
    }

    private void await(AttachedProcess process, StockControl stock) throws BridgeException, InterruptedException {
        RecordingState state = Answers.given(stock.recording());
        while (!state.done()) {
            if (process.sample().state() == ProcessState.GONE || !state.running()) {
                String why = state.problem().isEmpty() ? CliText.text("record.stock.lost") : state.problem();
                throw new CommandFailure(ExitStatus.PROCESS, CliText.text("record.failed", target.toString(), why));
            }
            Thread.sleep(PAUSE_MS);
            state = Answers.given(stock.recording());
        }
    }
}
