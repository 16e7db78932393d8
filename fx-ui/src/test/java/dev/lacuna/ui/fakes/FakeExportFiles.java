package dev.lacuna.ui.fakes;

import dev.lacuna.ui.parts.ExportFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Exports kept in memory; a picture is told by its size. */
public final class FakeExportFiles implements ExportFiles {
    private final Map<String, byte[]> written = new ConcurrentHashMap<>();

    /** What was written, by path. */
    public Map<String, byte[]> written() {
        return written;
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        if (path.startsWith("/full/")) {
            throw new IOException("No space left on device");
        }
        written.put(path, content);
    }

    @Override
    public byte[] png(int width, int height, int[] argb) {
        return (width + "x" + height).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String program() {
        return "lacuna test";
    }
}
