package dev.lacuna.core.trace.record;

import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A recording on disk. While it runs, lines go to {@code NAME.part} files beside the target; {@link #finish} puts what was held before in
 * front and gives the whole its name, in one move. The first device's trace bears the name asked for, others {@code NAME.device1} and so on;
 * accelerators come before the host.
 * Not thread-safe.
 */
public final class RecordingFile implements Closeable {
    private static final int BUFFER_CHARS = 1 << 16;

    private final Path target;
    private final RecordedProcess process;
    private final SortedMap<Integer, Path> parts = new TreeMap<>();
    private final List<Writer> open = new ArrayList<>();
    private final Map<Integer, DeviceName> names = new HashMap<>();
    private final RecordingText text = new RecordingText(this::part);
    private boolean finished;

    /**
     * What was saved.
     *
     * @param files one per device, the first device's first; empty when nothing was recorded
     * @param events requests and frees in all of them, as whoever reads them counts
     * @param lostEvents events that were overwritten before they could be read
     */
    public record Saved(List<Path> files, long events, long lostEvents) {
        public Saved {
            files = List.copyOf(files);
        }
    }

    /**
     * Begins a recording; nothing is written before the first sample.
     *
     * @param target the file that it will be; one that exists is replaced at the end
     * @throws IOException when nothing can be written there
     */
    public RecordingFile(Path target, RecordedProcess process) throws IOException {
        this.target = target.toAbsolutePath();
        this.process = process;
        if (Files.isDirectory(this.target)) {
            throw new java.nio.file.FileSystemException(target.toString(), null, "is a directory");
        }
        // Whether the folder takes files is found out now, not after an hour.
        Files.delete(Files.createTempFile(this.target.getParent(), ".lacuna-", ".part"));
    }

    /** As {@link RecordingText#add}. */
    public void add(List<MemoryCounters> devices, MemoryEvents events, long lostSoFar) throws IOException {
        devices.forEach(counters -> names.put(counters.device(), counters.name()));
        text.add(devices, events, lostSoFar);
    }

    /** Events written down so far. */
    public long events() {
        return text.events();
    }

    /** Events that nobody could read so far. */
    public long lostEvents() {
        return text.lostEvents();
    }

    /** Ends the recording and names it. */
    public Saved finish() throws IOException {
        finished = true;
        text.finish();
        closeWriters();
        List<Path> files = new ArrayList<>();
        List<Integer> devices = new ArrayList<>(text.scribes().keySet());
        devices.sort(DeviceName.acceleratorsFirst(names::get));
        for (int device : devices) {
            Path whole = files.isEmpty() ? target : beside(".device" + device);
            assemble(text.scribes().get(device), parts.get(device), whole);
            files.add(whole);
        }
        return new Saved(files, text.requestsAndFrees(), text.lostEvents());
    }

    /** Drops what is not {@linkplain #finish finished}. */
    @Override
    public void close() throws IOException {
        try (DeletedParts deleted = this::deleteParts) {
            if (!finished) {
                finished = true;
                closeWriters();
            }
        }
    }

    /** Closes all of them, whichever fails: a full disk takes what is buffered of none. */
    private void closeWriters() throws IOException {
        IOException first = null;
        for (Writer writer : open) {
            try {
                writer.close();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void deleteParts() throws IOException {
        for (Path part : parts.values()) {
            Files.deleteIfExists(part);
        }
    }

    /** The files of the meantime, which nobody is to find. */
    private interface DeletedParts extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private void assemble(TraceEventWriter scribe, Path lines, Path whole) throws IOException {
        Path unnamed = whole.resolveSibling(whole.getFileName() + ".whole.part");
        try {
            try (OutputStream out = Files.newOutputStream(unnamed)) {
                StringBuilder head = new StringBuilder();
                scribe.writeHead(head, process);
                out.write(head.toString().getBytes(StandardCharsets.UTF_8));
                Files.copy(lines, out);
            }
            Files.move(unnamed, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unnamed);
        }
    }

    private Appendable part(int device) throws IOException {
        Path part = beside(".device" + device + ".part");
        parts.put(device, part);
        Writer writer = new BufferedWriter(
                new OutputStreamWriter(Files.newOutputStream(part), StandardCharsets.UTF_8), BUFFER_CHARS);
        open.add(writer);
        return writer;
    }

    private Path beside(String suffix) {
        return target.resolveSibling(target.getFileName() + suffix);
    }
}
