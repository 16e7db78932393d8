package dev.lacuna.ui.fakes;

import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.open.TraceHistory;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Recordings in memory, else on this machine's disk; the example is a training run with sequences of varying length. */
public final class FakeRecordingFiles implements RecordingFiles {
    private final Map<String, Recording> files = new TreeMap<>();

    public FakeRecordingFiles with(String path, Recording recording) {
        files.put(path, recording);
        return this;
    }

    @Override
    public Recording open(String path, OpenRequest request) throws IOException {
        return files.containsKey(path) ? files.get(path) : new Recordings().open(Path.of(path), request);
    }

    @Override
    public Recording example() throws IOException {
        return TraceHistory.read(FakeTraceFiles.training(30).open(), "example", "trace-text", false);
    }
}
