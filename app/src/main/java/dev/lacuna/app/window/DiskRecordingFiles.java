package dev.lacuna.app.window;

import dev.lacuna.app.demo.ExampleTrace;
import dev.lacuna.app.files.FileFormats;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.open.TraceHistory;
import dev.lacuna.core.trace.PackedInput;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The operator's recordings on this machine's disks. */
final class DiskRecordingFiles implements RecordingFiles {
    @Override
    public Recording open(String path, OpenRequest request) throws IOException {
        return FileFormats.recordings().open(regular(path), request);
    }

    @Override
    public void look(String path) throws IOException {
        try (InputStream in = PackedInput.unpacked(Files.newInputStream(regular(path)))) {
            if (!FileFormats.isRecording(PackedInput.head(in))) {
                // Who reads traces says what it seems to be.
                TraceReaders.open(in).close();
            }
        }
    }

    private static Path regular(String path) throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(path, null, "there is no such file");
        }
        // A pipe or a device could keep the window waiting for ever.
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(path, null, "no regular file");
        }
        return file;
    }

    @Override
    public List<String> endings() {
        return FileFormats.recordingEndings();
    }

    @Override
    public Recording example() throws IOException {
        return TraceHistory.read(ExampleTrace.make().open(), "example", "trace-text", false);
    }
}
