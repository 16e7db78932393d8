package dev.lacuna.app.window;

import dev.lacuna.app.files.FileFormats;
import dev.lacuna.core.base.file.WholeFile;
import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The operator's configurations and profiles on this machine's disks. */
final class DiskPlannerFiles implements PlannerFiles {
    /** Far more than any configuration or profile has. */
    private static final int MOST_BYTES = 64 << 20;

    @Override
    public String read(String path) throws IOException {
        try (InputStream in = open(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new FileSystemException(path, null, "larger than " + (MOST_BYTES >> 20) + " MiB");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @Override
    public InputStream open(String path) throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(path, null, "there is no such file");
        }
        // A pipe or a device could keep the window waiting for ever.
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(path, null, "no regular file");
        }
        return Files.newInputStream(file);
    }

    @Override
    public AllocationTrace trace(String path) throws IOException {
        try (InputStream in = open(path)) {
            return TraceReaders.read(in, FileFormats.replayed());
        }
    }

    @Override
    public PlanContent plan(String path) throws IOException {
        try (InputStream in = open(path)) {
            return PlanContent.read(in, FileFormats.replayed());
        }
    }

    @Override
    public void write(String path, String text) throws IOException {
        WholeFile.write(Path.of(path), text);
    }
}
