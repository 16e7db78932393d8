package dev.lacuna.app.window;

import dev.lacuna.core.base.file.WholeFile;
import dev.lacuna.ui.places.diagnose.LogFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The operator's logs on this machine's disks. */
final class DiskLogFiles implements LogFiles {
    /** Ranks lie in a folder, or in a folder each: deeper ones are other things. */
    private static final int DEPTH = 2;

    /** More than any cluster has ranks in one folder; the rest is left out. */
    private static final int MOST_FILES = 10_000;

    @Override
    public List<String> logsAt(String path) throws IOException {
        Path given = Path.of(path);
        if (!Files.exists(given)) {
            throw new NoSuchFileException(path, null, "there is no such file");
        }
        if (!Files.isDirectory(given)) {
            return List.of(path);
        }
        try (Stream<Path> found = Files.walk(given, DEPTH)) {
            return found.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .limit(MOST_FILES)
                    .map(Path::toString)
                    .toList();
        }
    }

    @Override
    public void write(String path, String text) throws IOException {
        WholeFile.write(Path.of(path), text);
    }

    @Override
    public InputStream open(String path) throws IOException {
        Path file = Path.of(path);
        // A pipe or a device could keep the window waiting for ever.
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(path, null, "no regular file");
        }
        return Files.newInputStream(file);
    }
}
