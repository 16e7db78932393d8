package dev.lacuna.bridge.recording;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.SavedRecording;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.RecordingOrder;
import dev.lacuna.bridge.StockControl.RecordingState;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A recording that an attached process makes of itself and saves as a memory snapshot; here it is asked for and waited for. */
public final class SnapshotRecording implements ProcessRecording {
    private static final long PAUSE_MS = 100;

    private final AttachedProcess process;
    private final StockControl stock;
    private final RecordingOrder order;
    private final CompletableFuture<SavedRecording> ended = new CompletableFuture<>();
    private volatile boolean told;

    private SnapshotRecording(AttachedProcess process, StockControl stock, RecordingOrder order) {
        this.process = process;
        this.stock = stock;
        this.order = order;
    }

    /**
     * Has it begun.
     *
     * @param process closed when the recording has ended, or could not begin
     * @throws IOException where the process refuses, with its reason
     */
    public static SnapshotRecording start(AttachedProcess process, StockControl stock, RecordingOrder order)
            throws BridgeException, IOException {
        boolean begun = false;
        try {
            require(stock.record(order));
            begun = true;
        } finally {
            if (!begun) {
                process.close();
            }
        }
        SnapshotRecording recording = new SnapshotRecording(process, stock, order);
        Thread waiting = new Thread(recording::await, "lacuna-snapshot-recording");
        waiting.setDaemon(true);
        waiting.start();
        return recording;
    }

    @Override
    public long events() {
        return 0;
    }

    @Override
    public long lostEvents() {
        return 0;
    }

    @Override
    public void stop() {
        told = true;
    }

    @Override
    public CompletableFuture<SavedRecording> ended() {
        return ended.copy();
    }

    private void await() {
        try (process) {
            boolean asked = false;
            RecordingState state = require(stock.recording());
            while (!state.done()) {
                if (!state.running()) {
                    throw new IOException(state.problem().isEmpty() ? "the process saved nothing" : state.problem());
                }
                if (told && !asked) {
                    // One that cannot end sooner goes on to its end.
                    stock.endRecording();
                    asked = true;
                }
                Thread.sleep(PAUSE_MS);
                state = require(stock.recording());
            }
            ended.complete(new SavedRecording(List.of(order.target()), 0, 0, !told));
        } catch (BridgeException | IOException fault) {
            ended.completeExceptionally(fault);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended.completeExceptionally(e);
        }
    }

    private static <T> T require(Answer<T> answer) throws IOException {
        if (answer instanceof Answer.Given<T> given) {
            return given.value();
        }
        throw new IOException(((Answer.Refused<T>) answer).text());
    }
}
