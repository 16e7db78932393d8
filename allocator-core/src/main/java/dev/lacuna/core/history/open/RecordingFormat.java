package dev.lacuna.core.history.open;

import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import java.io.IOException;
import java.io.InputStream;

/** Opens one family of files. Stateless. */
public interface RecordingFormat {
    /**
     * Whether this content is one of its.
     *
     * @param head the first bytes of the unpacked content, at most 4096
     */
    boolean recognises(byte[] head);

    /**
     * Opens it.
     *
     * @param in the unpacked content, from its first byte; left open. Progress and cancelling are seen to
     * @param source what the user calls it
     * @throws IOException when it cannot be read, or makes no sense: the message says what is wrong and where
     */
    Recording open(InputStream in, String source, OpenRequest request) throws IOException;
}
