package dev.lacuna.bridge.control;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.Forecast;
import dev.lacuna.bridge.StockControl.RecordingOrder;
import dev.lacuna.bridge.StockControl.RecordingState;
import dev.lacuna.bridge.StockControl.SettingState;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.replay.SettingPreview;
import dev.lacuna.core.replay.snapshot.ContinuedSnapshotReader;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/** What a setting would do: a few steps recorded by the process, replayed here with it and without. */
final class SettingForecast {
    private static final int STEPS = 12;

    /** Where no step was seen yet. */
    private static final int SECONDS = 10;

    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final long PAUSE_MS = 50;

    private final StockControl stock;

    SettingForecast(StockControl stock) {
        this.stock = stock;
    }

    /**
     * What the change would come to.
     *
     * @param stepped whether it has ended a step
     * @param device its memory and the cap on it
     */
    Answer<Forecast> of(String key, String value, boolean stepped, ReplaySettings device) throws BridgeException {
        Answer<SettingState> present = stock.settings();
        if (!(present instanceof Answer.Given<SettingState> settings)) {
            return refused(present);
        }
        Path file = temporary();
        try {
            OptionalInt steps = stepped ? OptionalInt.of(STEPS) : OptionalInt.empty();
            Answer<RecordingState> begun = stock.record(new RecordingOrder(file, steps, SECONDS, OptionalInt.empty()));
            if (!(begun instanceof Answer.Given)) {
                return refused(begun);
            }
            await();
            return replayed(file, device, settings.value().text(), key, value);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, file + " could not be read: " + e.getMessage(), e);
        } finally {
            file.toFile().delete();
            file.getParent().toFile().delete();
        }
    }

    private void await() throws BridgeException, IOException {
        long deadline = System.nanoTime() + PATIENCE_NS;
        boolean ended = false;
        while (true) {
            if (!(stock.recording() instanceof Answer.Given<RecordingState> now)
                    || now.value().done()) {
                return;
            }
            if (!now.value().running()) {
                throw new IOException(now.value().problem());
            }
            if (!ended && System.nanoTime() > deadline) {
                stock.endRecording();
                ended = true;
            }
            pause();
        }
    }

    private static Answer<Forecast> replayed(Path file, ReplaySettings device, String present, String key, String value)
            throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            AllocationTrace trace = new ContinuedSnapshotReader().read(in);
            String changed = SettingPreview.changed(present, key, value);
            SettingPreview found = SettingPreview.of(trace, device, present, changed);
            return new Answer.Given<>(new Forecast(
                    found.reservedBytes(),
                    found.allocatedBytes(),
                    found.withPresentBytes(),
                    found.withChangedBytes(),
                    found.live(),
                    found.failures()));
        } catch (IllegalArgumentException unknown) {
            return new Answer.Refused<>("bad-request", String.valueOf(unknown.getMessage()));
        }
    }

    /** In a folder of this user alone. */
    private static Path temporary() throws BridgeException {
        try {
            return Files.createTempDirectory("lacuna-forecast").resolve("steps.pickle");
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, "no temporary file can be made: " + e.getMessage(), e);
        }
    }

    private static <T> Answer<Forecast> refused(Answer<T> answer) {
        Answer.Refused<T> why = (Answer.Refused<T>) answer;
        return new Answer.Refused<>(why.code(), why.text());
    }

    private static void pause() throws BridgeException {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BridgeException(Reason.TIMED_OUT, "interrupted while it was recorded", e);
        }
    }
}
