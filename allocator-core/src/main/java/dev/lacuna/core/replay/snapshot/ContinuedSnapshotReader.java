package dev.lacuna.core.replay.snapshot;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceReader;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.SnapshotTraceReader;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads memory snapshots as {@link SnapshotTraceReader} does, and works out what was held when the recording began: for
 * replays, which go on from there.
 */
public final class ContinuedSnapshotReader implements TraceReader {
    private final SnapshotTraceReader plain = new SnapshotTraceReader();
    private final OptionalInt device;

    /** Reads the trace of the device that tells most. */
    public ContinuedSnapshotReader() {
        this(OptionalInt.empty());
    }

    /**
     * Reads the trace of one device.
     *
     * @param device its number; empty for the one that tells most. Reading a file that does not tell of it fails with a {@link
     *     dev.lacuna.core.trace.model.TraceFormatException}
     */
    public ContinuedSnapshotReader(OptionalInt device) {
        this.device = device;
    }

    @Override
    public String format() {
        return plain.format();
    }

    @Override
    public boolean recognises(FileHead head) {
        return plain.recognises(head);
    }

    @Override
    public List<String> endings() {
        return plain.endings();
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return trace(new SnapshotReader().read(in));
    }

    @Override
    public TraceCursor open(InputStream in) throws IOException {
        try (in) {
            return trace(new SnapshotReader().readWhatIsWhole(in)).open();
        }
    }

    private AllocationTrace trace(MemorySnapshot snapshot) throws IOException {
        Optional<SnapshotDevice> reported = device.isPresent()
                ? Optional.of(SnapshotTraceReader.numbered(snapshot, device.getAsInt()))
                : SnapshotTraceReader.busiest(snapshot);
        AllocationTrace rows = reported.map(one -> SnapshotOpening.trace(snapshot, one))
                .orElseGet(() -> AllocationTrace.builder().build());
        return snapshot.cut().isPresent() ? rows.endingEarly() : rows;
    }
}
