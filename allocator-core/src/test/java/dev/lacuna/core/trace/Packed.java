package dev.lacuna.core.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** Content as it lies in a file that was packed. */
public final class Packed {
    private Packed() {}

    /** By gzip. */
    public static byte[] of(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }
}
