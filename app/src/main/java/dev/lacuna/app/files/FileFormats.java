package dev.lacuna.app.files;

import dev.lacuna.bridge.recording.BlackBoxFormat;
import dev.lacuna.bridge.recording.BlackBoxTraceReader;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.open.RecordingFormat;
import dev.lacuna.core.replay.snapshot.ContinuedSnapshotReader;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceReader;
import java.util.List;

/**
 * What this program reads beyond the core's own formats ({@link TraceReaders}, {@link Recordings}). Whoever opens, replays, recognises or
 * offers a file asks here.
 */
public final class FileFormats {
    private static final List<RecordingFormat> MORE_RECORDINGS = List.of(new BlackBoxFormat());
    private static final List<TraceReader> MORE_TRACES =
            List.of(new BlackBoxTraceReader(), new ContinuedSnapshotReader());
    private static final Recordings RECORDINGS = new Recordings(MORE_RECORDINGS);

    private FileFormats() {}

    /** Opens recordings of every format. */
    public static Recordings recordings() {
        return RECORDINGS;
    }

    /** Readers that are asked before {@link TraceReaders}' own where a trace is replayed. */
    public static List<TraceReader> replayed() {
        return MORE_TRACES;
    }

    /** Whether content that begins like this is a recording or a trace. */
    public static boolean isRecording(FileHead head) {
        return RECORDINGS.recognises(head);
    }

    /** What names of recordings and traces end in. */
    public static List<String> recordingEndings() {
        return RECORDINGS.endings();
    }
}
