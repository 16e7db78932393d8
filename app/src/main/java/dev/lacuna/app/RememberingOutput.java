package dev.lacuna.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Standard output that remembers why it failed: a print stream only knows that it did. */
final class RememberingOutput extends OutputStream {
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private IOException failure;

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** Why output was lost; empty when none was, or when its reader went away, as readers in a pipe do. */
    Optional<IOException> loss() {
        return Optional.ofNullable(failure)
                .filter(e -> e.getMessage() == null || !e.getMessage().contains("Broken pipe"));
    }
}
