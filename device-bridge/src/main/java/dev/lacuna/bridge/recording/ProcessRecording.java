package dev.lacuna.bridge.recording;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.recording.RecordedProcess;
import dev.lacuna.core.recording.RecordingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A recording of a living process that is being made. It ends when the process does, when it is {@linkplain #stop told} to, or by a
 * fault; in each of these cases what was read until then is saved whole. Reading is passive. Safe for use by several threads.
 */
public final class ProcessRecording {
    /** A ring of 65,536 events lasts that long at three million events a second. */
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final AttachedProcess process;
    private final RecordingFile file;
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private AutoCloseable subscription = () -> {};
    private volatile long events;
    private volatile long lostEvents;

    /**
     * How it ended.
     *
     * @param saved what was saved
     * @param processEnded whether it ended by itself: with the process, or because that could not be read any further
     */
    public record Ended(RecordingFile.Saved saved, boolean processEnded) {}

    private ProcessRecording(AttachedProcess process, RecordingFile file) {
        this.process = process;
        this.file = file;
    }

    /**
     * Begins to record.
     *
     * @param process is closed when the recording has ended
     * @param target the file to be; one that exists is replaced at the end
     * @throws IOException when nothing can be written there
     */
    public static ProcessRecording start(AttachedProcess process, Path target) throws IOException {
        TrainingProcess who = process.process();
        RecordingFile file = new RecordingFile(target, new RecordedProcess(who.pid(), who.command(), who.startedAt()));
        ProcessRecording recording = new ProcessRecording(process, file);
        synchronized (recording) {
            recording.subscription = process.subscribe(INTERVAL, recording.new Writing());
        }
        return recording;
    }

    /** Events written down so far. */
    public long events() {
        return events;
    }

    /** Events so far that were overwritten before they could be read. */
    public long lostEvents() {
        return lostEvents;
    }

    /** Completes when all is saved; with an {@link IOException} when that could not be done. */
    public CompletableFuture<Ended> ended() {
        return ended.copy();
    }

    /** Ends the recording; harmless when it has ended. Saving goes on behind, see {@link #ended}. */
    public void stop() {
        if (ending.compareAndSet(false, true)) {
            Thread saving = new Thread(() -> save(false), "lacuna-recording");
            saving.start();
        }
    }

    private synchronized void save(boolean processEnded) {
        try (AutoCloseable reading = subscription;
                RecordingFile recording = file) {
            ended.complete(new Ended(recording.finish(), processEnded));
        } catch (Exception e) {
            ended.completeExceptionally(e);
        } finally {
            process.close();
        }
    }

    /** Writes each sample down, on the bridge's thread. */
    private final class Writing implements SampleListener {
        @Override
        public void onSample(Sample sample) {
            synchronized (ProcessRecording.this) {
                if (ended.isDone()) {
                    return;
                }
                try {
                    file.add(sample.devices(), sample.events(), sample.lostEvents());
                } catch (IOException e) {
                    if (ending.compareAndSet(false, true)) {
                        abandon(e);
                    }
                    return;
                }
                events = file.events();
                lostEvents = file.lostEvents();
                if (sample.state() == ProcessState.GONE && ending.compareAndSet(false, true)) {
                    save(true);
                }
            }
        }

        @Override
        public void onFailure(BridgeException fault) {
            if (ending.compareAndSet(false, true)) {
                // What was read before is no worse for it.
                save(true);
            }
        }

        /** The disk took no more: there is nothing whole to be had. */
        private void abandon(IOException why) {
            try (AutoCloseable reading = subscription;
                    RecordingFile recording = file) {
                ended.completeExceptionally(why);
            } catch (Exception e) {
                ended.completeExceptionally(why);
            } finally {
                process.close();
            }
        }
    }
}
