package dev.lacuna.core.replay.snapshot;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.OpeningMemory;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.snapshot.SnapshotTrace;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotStreams;
import java.util.List;
import java.util.Optional;

/**
 * A device's trace together with what its allocator held when the recording began, so that a what-if can go on from the segments
 * of then instead of asking for their blocks.
 */
final class SnapshotOpening {
    private SnapshotOpening() {}

    /** The trace of this device of the snapshot, with its opening memory where the file tells it without contradiction. */
    static AllocationTrace trace(MemorySnapshot snapshot, SnapshotDevice device) {
        SnapshotStreams streams = new SnapshotStreams();
        boolean reachesEnd = snapshot.reachesEnd(device.index());
        AllocationTrace trace = SnapshotTrace.of(device, streams, reachesEnd);
        if (!reachesEnd) {
            // What happened between the last entry and the segments of the file cannot be taken back.
            return trace;
        }
        return held(snapshot, device, streams)
                .filter(opening -> agree(opening, trace))
                .map(trace::startingFrom)
                .orElse(trace);
    }

    private static Optional<OpeningMemory> held(
            MemorySnapshot snapshot, SnapshotDevice device, SnapshotStreams streams) {
        try {
            List<HeldSegment> held = SnapshotReplay.heldAtFirst(device, RecordedOptions.of(snapshot), streams);
            return held.isEmpty() ? Optional.empty() : Optional.of(new OpeningMemory(held));
        } catch (SnapshotReplayException | IllegalArgumentException e) {
            // Expandable segments, or a file that contradicts itself: its trace alone can be replayed still.
            return Optional.empty();
        }
    }

    /** Whether the first rows ask for just these blocks. */
    private static boolean agree(OpeningMemory opening, AllocationTrace trace) {
        return opening.segments().stream()
                .flatMap(segment -> segment.blocks().stream())
                .filter(block -> !block.free())
                .allMatch(block -> asks(trace, block.id().getAsInt(), block.requestedBytes()));
    }

    private static boolean asks(AllocationTrace trace, int row, long bytes) {
        return row < trace.size()
                && trace.operation(row) == EventKind.ALLOC
                && trace.block(row) == row
                && trace.bytes(row) == bytes;
    }
}
