package dev.lacuna.app.window;

import dev.lacuna.app.demo.ExampleTrace;
import dev.lacuna.app.files.FileFormats;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.ui.places.whatif.TraceFiles;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;

/** The operator's traces on this machine's disks. */
final class DiskTraceFiles implements TraceFiles {
    /** Progress is told this many times per reading: as often as a bar moves by a pixel. */
    private static final int TELLINGS = 200;

    /** After a snapshot was read, what its allocator held at first is worked out from it: that has no measure. */
    private static final double UNKNOWN = -1;

    @Override
    public TraceSource open(String path, DoubleConsumer progress) throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(path, null, "there is no such file");
        }
        // A pipe or a device could keep the window waiting for ever, and be read only once.
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(path, null, "no regular file");
        }
        return () -> TraceReaders.open(
                new CountedInput(Files.newInputStream(file), Files.size(file), progress), FileFormats.replayed());
    }

    @Override
    public List<String> endings() {
        return FileFormats.recordingEndings();
    }

    @Override
    public TraceSource example() {
        return ExampleTrace.make();
    }

    /** Tells how much of a file was read, and that nobody knows how long the rest takes once all of it was. */
    private static final class CountedInput extends FilterInputStream {
        private final long size;
        private final DoubleConsumer progress;
        private long read;
        private long reported;

        CountedInput(InputStream in, long size, DoubleConsumer progress) {
            super(in);
            this.size = Math.max(1, size);
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            count(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = super.read(into, offset, length);
            count(Math.max(0, count));
            return count;
        }

        private void count(int bytes) {
            if (bytes == 0) {
                return;
            }
            read += bytes;
            if (read >= size) {
                progress.accept(UNKNOWN);
            } else if ((read - reported) * TELLINGS > size) {
                reported = read;
                progress.accept((double) read / size);
            }
        }
    }
}
