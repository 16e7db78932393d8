package dev.lacuna.app.cli.replay;

import dev.lacuna.app.cli.argument.OneDeviceReader;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ReplayProgress;
import dev.lacuna.bridge.recording.BlackBoxTraceReader;
import dev.lacuna.core.replay.snapshot.ContinuedSnapshotReader;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.TraceReader;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The trace that a command line names, a file or standard input, with its progress. */
final class ReplayInput implements AutoCloseable {
    private static final String STANDARD_INPUT = "-";

    /** Traces of up to this many rows are kept in memory where they are read many times: some 30 MB. */
    static final int KEPT_ROWS = 1 << 20;

    private final Optional<Path> file;
    private final List<TraceReader> readers;
    private final ReplayProgress progress = new ReplayProgress("replay.progress");
    private Optional<Path> spooled = Optional.empty();

    private ReplayInput(Optional<Path> file, OptionalInt device) {
        this.file = file;
        ContinuedSnapshotReader snapshots = new ContinuedSnapshotReader(device);
        readers = List.of(device.isPresent() ? new OneDeviceReader(snapshots) : new BlackBoxTraceReader(), snapshots);
    }

    /**
     * The input of this name.
     *
     * @param name {@code -} for standard input
     * @param device the device of a snapshot; empty for the one that tells most
     */
    static ReplayInput of(String name, OptionalInt device) throws IOException {
        try {
            return new ReplayInput(name.equals(STANDARD_INPUT) ? Optional.empty() : Optional.of(Path.of(name)), device);
        } catch (InvalidPathException e) {
            throw new IOException(CliText.text("diagnose.name"), e);
        }
    }

    /** Whether the trace can be read more than once as it is. */
    boolean canReadAgain() {
        return file.isPresent() && Files.isRegularFile(file.get());
    }

    /**
     * The trace.
     *
     * @param manyTimes whether it is read more than once: standard input is put into a temporary file then
     */
    TraceSource source(boolean manyTimes) throws IOException {
        if (file.isPresent() && Files.isDirectory(file.get())) {
            throw new IOException(CliText.text("replay.directory"));
        }
        Optional<InputStream> once = readOnce();
        if (once.isPresent() && !manyTimes) {
            return () -> TraceReaders.open(counted(once.get(), OptionalLong.empty()), readers);
        }
        Path path = once.isPresent() ? spool(once.get()) : file.get();
        TraceSource source = () ->
                TraceReaders.open(counted(Files.newInputStream(path), OptionalLong.of(Files.size(path))), readers);
        return manyTimes ? source.keptUpTo(KEPT_ROWS) : source;
    }

    /** Everything is read: what is printed from now on is the result. */
    void finished() {
        progress.clear();
    }

    @Override
    public void close() throws IOException {
        progress.clear();
        if (spooled.isPresent()) {
            Files.deleteIfExists(spooled.get());
        }
    }

    /** Standard input or a named pipe: what can be read but once. */
    private Optional<InputStream> readOnce() throws IOException {
        if (file.isEmpty()) {
            return Optional.of(System.in);
        }
        boolean pipe = Files.exists(file.get()) && !Files.isRegularFile(file.get());
        return pipe ? Optional.of(new FileInputStream(file.get().toFile())) : Optional.empty();
    }

    private Path spool(InputStream once) throws IOException {
        Path path = Files.createTempFile("lacuna-", ".trace");
        spooled = Optional.of(path);
        path.toFile().deleteOnExit();
        Files.copy(once, path, StandardCopyOption.REPLACE_EXISTING);
        return path;
    }

    private InputStream counted(InputStream in, OptionalLong totalBytes) {
        ReplayProgress.Reading reading = progress.reading(totalBytes);
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                int b = super.read();
                reading.read(b < 0 ? 0 : 1);
                return b;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int count = super.read(into, offset, length);
                reading.read(Math.max(0, count));
                return count;
            }
        };
    }
}
