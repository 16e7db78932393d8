package dev.lacuna.ui.fakes;

import dev.lacuna.ui.places.diagnose.LogFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files in memory; a path that ends in a slash is a folder. */
public final class FakeLogFiles implements LogFiles {
    private final Map<String, byte[]> files = new TreeMap<>();

    public FakeLogFiles with(String path, String text) {
        return with(path, text.getBytes(StandardCharsets.UTF_8));
    }

    public FakeLogFiles with(String path, byte[] bytes) {
        files.put(path, bytes);
        return this;
    }

    @Override
    public List<String> logsAt(String path) {
        return path.endsWith("/")
                ? files.keySet().stream().filter(f -> f.startsWith(path)).toList()
                : List.of(path);
    }

    /** What was written, or what stands there. */
    public String text(String path) {
        return new String(files.get(path), StandardCharsets.UTF_8);
    }

    @Override
    public void write(String path, String text) {
        with(path, text);
    }

    @Override
    public InputStream open(String path) throws IOException {
        if (!files.containsKey(path)) {
            throw new NoSuchFileException(path);
        }
        return new ByteArrayInputStream(files.get(path));
    }
}
