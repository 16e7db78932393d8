package dev.lacuna.core.history.open;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Opens one family of files. Stateless. */
public interface RecordingFormat {
    /** Whether content that begins like this is one of its. */
    boolean recognises(FileHead head);

    /** What names of its files end in, such as {@code .pickle}: for choosing files, never for telling formats apart. */
    List<String> endings();

    /**
     * Opens it.
     *
     * @param in the unpacked content, from its first byte; left open. Progress and cancelling are seen to
     * @param source what the user calls it
     * @throws IOException when it cannot be read, or makes no sense: the message says what is wrong and where
     */
    Recording open(InputStream in, String source, OpenRequest request) throws IOException;
}
