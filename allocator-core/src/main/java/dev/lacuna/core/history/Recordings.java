package dev.lacuna.core.history;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.open.HistoryPart;
import dev.lacuna.core.history.open.RecordedProcessFormat;
import dev.lacuna.core.history.open.RecordingFormat;
import dev.lacuna.core.history.open.SnapshotFormat;
import dev.lacuna.core.history.open.TraceFormat;
import dev.lacuna.core.history.open.TraceHistory;
import dev.lacuna.core.trace.PackedInput;
import dev.lacuna.core.trace.TraceReaders;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Opens recordings of any known format, packed with gzip or not: chosen by content, never by name. Every format of traces is one; what tells
 * more than a trace does is listed here. Stateless.
 */
public final class Recordings {
    /** What trace text is called that was not certain to be any. */
    private static final String UNKNOWN = "trace-text";

    private static final int BUFFER_BYTES = 1 << 16;

    private final List<RecordingFormat> formats;

    /** Snapshots and traces. */
    public Recordings() {
        this(List.of());
    }

    /** Snapshots and traces, and these formats, which are asked first. */
    public Recordings(List<RecordingFormat> more) {
        formats = new ArrayList<>(more);
        formats.add(new SnapshotFormat());
        formats.add(new RecordedProcessFormat());
        TraceReaders.all().forEach(reader -> formats.add(new TraceFormat(reader)));
    }

    /**
     * Opens a file.
     *
     * @throws IOException when it cannot be read, or no format can make sense of it
     * @throws java.util.concurrent.CancellationException when it was cancelled
     */
    public Recording open(Path file, OpenRequest request) throws IOException {
        boolean regular = Files.isRegularFile(file);
        long total = regular ? Files.size(file) : Long.MAX_VALUE;
        // A channel on a pipe asks where it stands, which a pipe cannot say; a plain stream does not.
        InputStream bytes =
                regular || !Files.exists(file) ? Files.newInputStream(file) : new FileInputStream(file.toFile());
        try (InputStream in = new Counted(bytes, total, request)) {
            return open(in, file.toString(), request);
        }
    }

    /** Opens what a stream holds; the stream is left open. */
    public Recording open(InputStream input, String source, OpenRequest request) throws IOException {
        InputStream in = PackedInput.unpacked(input);
        Optional<RecordingFormat> format = formatOf(PackedInput.head(in));
        // What nobody knows is refused by who reads traces, with a word on what it seems to be.
        Recording recording = format.isPresent()
                ? format.get().open(in, source, request)
                : TraceHistory.read(TraceReaders.open(in), source, UNKNOWN, false);
        return request.range().isPresent() ? part(recording, request.range().get()) : recording;
    }

    /** Whether content that begins like this is known for certain. */
    public boolean recognises(FileHead head) {
        return formatOf(head).isPresent();
    }

    /** What names of recordings end in, each once. */
    public List<String> endings() {
        return formats.stream()
                .flatMap(format -> format.endings().stream())
                .distinct()
                .toList();
    }

    private Optional<RecordingFormat> formatOf(FileHead head) {
        return formats.stream().filter(format -> format.recognises(head)).findFirst();
    }

    private static Recording part(Recording whole, LoadRange range) {
        if (whole.devices().stream().allMatch(device -> isAll(device, HistoryPart.bounds(device, range)))) {
            return whole;
        }
        List<DeviceHistory> devices = new ArrayList<>();
        List<HistoryAnnotation> annotations = new ArrayList<>();
        for (DeviceHistory device : whole.devices()) {
            int[] bounds = HistoryPart.bounds(device, range);
            devices.add(HistoryPart.of(device, bounds[0], bounds[1]));
            for (HistoryAnnotation mark : whole.annotations()) {
                if (mark.device() == device.device() && mark.event() >= bounds[0] && mark.event() <= bounds[1]) {
                    int event = mark.event() - bounds[0];
                    annotations.add(
                            new HistoryAnnotation(mark.device(), event, mark.timeNs(), mark.name(), mark.begins()));
                }
            }
        }
        List<RecordingNotice> notices = new ArrayList<>(whole.notices());
        notices.add(
                new RecordingNotice(RecordingNotice.Kind.PART, RecordingNotice.WHOLE_FILE, description(range, whole)));
        return new Recording(
                whole.source(), whole.format(), whole.truncated(), devices, annotations, whole.settings(), notices);
    }

    /** Its ends, the last one where the events end. */
    private static String description(LoadRange range, Recording whole) {
        int most = whole.devices().stream().mapToInt(DeviceHistory::size).max().orElse(0);
        return range instanceof LoadRange.Events events && events.from() < most
                ? new LoadRange.Events(events.from(), Math.min(events.to(), most)).description()
                : range.description();
    }

    private static boolean isAll(DeviceHistory device, int[] bounds) {
        return bounds[0] == 0 && bounds[1] == device.size();
    }

    /** Counts what is read of the file, and ends where nobody wants it any more. */
    private static final class Counted extends FilterInputStream {
        private final long total;
        private final OpenRequest request;
        private long read;

        Counted(InputStream in, long total, OpenRequest request) {
            super(in);
            this.total = total;
            this.request = request;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            request.check();
            int count = in.read(buffer, offset, Math.min(length, BUFFER_BYTES));
            read += Math.max(0, count);
            request.progress().read(Math.min(read, total), total);
            return count;
        }
    }
}
