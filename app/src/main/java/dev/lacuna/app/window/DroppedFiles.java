package dev.lacuna.app.window;

import dev.lacuna.bridge.recording.BlackBoxFormat;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.window.FileOpener;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Brings dropped files to the place that can show them, by their content: recordings to one, everything else is a log. */
final class DroppedFiles implements FileOpener {
    private static final int HEAD_BYTES = 4096;
    private static final int GZIP_MAGIC = 0x1f8b;

    /** A line of trace text, after comments and empty lines. */
    private static final Pattern TRACE_TEXT =
            Pattern.compile("(?:total \\d|other \\d|fraction \\d|alloc \\S+ \\d|phase \\w+ (?:begin|end)|stats\\b)");

    private final TaskExecutor executor;
    private final Supplier<FileOpener> recordings;
    private final FileOpener logs;

    /**
     * @param recordings who shows recordings now
     * @param logs who reads logs
     */
    DroppedFiles(TaskExecutor executor, Supplier<FileOpener> recordings, FileOpener logs) {
        this.executor = executor;
        this.recordings = recordings;
        this.logs = logs;
    }

    @Override
    public void choose() {
        logs.choose();
    }

    @Override
    public void open(List<File> files) {
        BackgroundTask<Boolean> task = BackgroundTask.of(
                () -> !files.isEmpty() && isRecording(files.get(0).toPath()));
        task.onSuccess(recording -> (recording ? recordings.get() : logs).open(files));
        executor.execute(task);
    }

    /** Whether a file begins as recordings do; one that cannot be read is for whoever tells why. */
    static boolean isRecording(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(2);
            boolean packed = (raw.read() << 8 | raw.read()) == GZIP_MAGIC;
            raw.reset();
            byte[] head = (packed ? new GZIPInputStream(raw) : raw).readNBytes(HEAD_BYTES);
            String text = new String(head, StandardCharsets.UTF_8);
            return SnapshotReader.recognises(head)
                    || new BlackBoxFormat().recognises(head)
                    || text.startsWith("ts_ns,")
                    || isTraceText(text);
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Line by line: one expression for all comments takes a frame of the stack for each. */
    private static boolean isTraceText(String text) {
        return (text.startsWith("\uFEFF") ? text.substring(1) : text)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .filter(line -> TRACE_TEXT.matcher(line).lookingAt())
                .isPresent();
    }
}
