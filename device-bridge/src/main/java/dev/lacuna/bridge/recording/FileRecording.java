package dev.lacuna.bridge.recording;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.SavedRecording;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.trace.record.RecordedProcess;
import dev.lacuna.core.trace.record.RecordingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Samples a living process often enough to lose nothing, and writes its events to a file. Reading is passive. */
public final class FileRecording implements ProcessRecording {
    /** A ring of 65,536 events lasts that long at three million events a second. */
    private static final Duration INTERVAL = Duration.ofMillis(20);

    /** Of the samples that arrive after the word to stop, the first may have been read before it; the second was not. */
    private static final int SAMPLES_AFTER_STOP = 2;

    /** A reader that sends nothing for that long after the word to stop will send nothing more; what was read is saved without it. */
    private static final Duration PATIENCE = INTERVAL.multipliedBy(50);

    private final AttachedProcess process;
    private final RecordingFile file;
    private final CompletableFuture<SavedRecording> ended = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private int samplesToCome = SAMPLES_AFTER_STOP;
    private volatile boolean stopping;
    private AutoCloseable subscription = () -> {};
    private volatile long events;
    private volatile long lostEvents;

    private FileRecording(AttachedProcess process, RecordingFile file) {
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
    public static FileRecording start(AttachedProcess process, Path target) throws IOException {
        TrainingProcess who = process.process();
        RecordingFile file = new RecordingFile(target, new RecordedProcess(who.pid(), who.command(), who.startedAt()));
        FileRecording recording = new FileRecording(process, file);
        synchronized (recording) {
            recording.subscription = process.subscribe(INTERVAL, recording.new Writing());
        }
        return recording;
    }

    @Override
    public long events() {
        return events;
    }

    @Override
    public long lostEvents() {
        return lostEvents;
    }

    @Override
    public CompletableFuture<SavedRecording> ended() {
        return ended.copy();
    }

    @Override
    public void stop() {
        // Ends with the first sample that was surely read from now on: what the process did until now is in it.
        stopping = true;
        CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::saveApart);
    }

    /** The bridge's thread has other readers to serve. */
    private void saveApart() {
        if (ending.compareAndSet(false, true)) {
            new Thread(() -> save(false), "lacuna-recording").start();
        }
    }

    private synchronized void save(boolean byItself) {
        try {
            RecordingFile.Saved saved = finish();
            // Not before its files of the meantime are gone: who waited for this may end the program.
            ended.complete(new SavedRecording(saved.files(), saved.events(), saved.lostEvents(), byItself));
        } catch (Exception e) {
            ended.completeExceptionally(e);
        } finally {
            process.close();
        }
    }

    private RecordingFile.Saved finish() throws Exception {
        try (AutoCloseable reading = subscription;
                RecordingFile recording = file) {
            return recording.finish();
        }
    }

    /** Writes each sample down, on the bridge's thread. */
    private final class Writing implements SampleListener {
        @Override
        public void onSample(Sample sample) {
            synchronized (FileRecording.this) {
                if (ending.get()) {
                    return;
                }
                boolean askedToStop = stopping;
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
                if (askedToStop && --samplesToCome == 0) {
                    saveApart();
                } else if (sample.state() == ProcessState.GONE && ending.compareAndSet(false, true)) {
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
                process.close();
            } catch (Exception e) {
                why.addSuppressed(e);
            }
            ended.completeExceptionally(why);
        }
    }
}
