package dev.lacuna.core.replay;

import dev.lacuna.core.snapshot.MemorySnapshot;
import dev.lacuna.core.snapshot.SnapshotReader;
import dev.lacuna.core.trace.AllocationTrace;
import dev.lacuna.core.trace.SnapshotTraceReader;
import dev.lacuna.core.trace.TraceReader;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads memory snapshots as {@link SnapshotTraceReader} does, and works out what was held when the recording began: for
 * replays, which go on from there.
 */
public final class ContinuedSnapshotReader implements TraceReader {
    private final SnapshotTraceReader plain = new SnapshotTraceReader();

    @Override
    public String format() {
        return plain.format();
    }

    @Override
    public boolean recognises(String head) {
        return plain.recognises(head);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        MemorySnapshot snapshot = new SnapshotReader().read(in);
        return SnapshotTraceReader.busiest(snapshot)
                .map(device -> SnapshotOpening.trace(snapshot, device))
                .orElseGet(() -> AllocationTrace.builder().build());
    }
}
