package dev.lacuna.core.history.open;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.SegmentAddresses;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.build.LifeFinder;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.build.OpeningSegments;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes a {@link Recording} of a trace, which tells requests and frees but no addresses: PyTorch's stock rules are run on the
 * device that the trace tells, and where they put things is what is recorded.
 */
public final class TraceHistory {
    private final SnapshotEvents.Builder events = SnapshotEvents.builder();
    private final List<HistoryAnnotation> annotations = new ArrayList<>();
    private final RecordedAddresses addresses = new RecordedAddresses();
    private final boolean clocked;
    private final Device device;
    private final CachingAllocator allocator;
    private long[] blockBytes = new long[1024];
    private int births;

    /** What was asked for the block that has this id now, and on which stream. */
    private long[] requested = new long[256];

    private int[] streams = new int[256];
    private long nowNs;

    private TraceHistory(boolean clocked, OptionalLong totalBytes) {
        this.clocked = clocked;
        device = Device.ofCapacity(totalBytes.orElse(Device.DEFAULT_CAPACITY_BYTES));
        allocator = new CachingAllocator(device, CachingOptions.PYTORCH, addresses);
    }

    /**
     * Reads a cursor to its end, which may be early, and closes it.
     *
     * @param source what the user calls it
     * @param format what to call its format
     * @param clocked whether its rows tell times
     * @throws IOException when the input cannot be read or makes no sense
     */
    public static Recording read(TraceCursor cursor, String source, String format, boolean clocked) throws IOException {
        try (cursor) {
            TraceChunk rows = TraceChunk.nameless();
            boolean more = cursor.next(rows);
            TraceHistory history = new TraceHistory(clocked, cursor.totalBytes());
            for (; more; more = cursor.next(rows)) {
                history.replay(rows);
            }
            Recording read = history.recording(source, format);
            Recording told = RecordingNotice.of(cursor.odd()).map(read::with).orElse(read);
            return cursor.truncated() ? told.truncated(RecordingNotice.Kind.RECORDING_CUT) : told;
        }
    }

    private void replay(TraceChunk rows) {
        for (int i = 0; i < rows.size(); i++) {
            nowNs = clocked ? rows.timeNs(i) : SnapshotEvents.NO_TIME;
            replay(rows, i);
        }
    }

    private void replay(TraceChunk rows, int i) {
        switch (rows.operation(i)) {
            case ALLOC -> allocate(rows.block(i), rows.bytes(i), rows.stream(i));
            case FREE -> free(rows.block(i));
            case PHASE -> {
                allocator.phase(rows.phase(i), rows.begins(i));
                long timeNs = clocked ? nowNs : 0;
                annotations.add(new HistoryAnnotation(
                        0, events.size(), timeNs, rows.phase(i).label(), rows.begins(i)));
            }
            case EMPTY_CACHE -> allocator.emptyCache();
            case OUTSIDE -> allocator.setOutsideBytes(rows.bytes(i));
            case LIMIT -> allocator.fraction(rows.fraction(i));
            default -> {} // changes nothing
        }
    }

    private void allocate(int id, long bytes, int stream) {
        Outcome outcome = allocator.allocate(id, bytes, stream);
        if (outcome == Outcome.PLACED) {
            if (births == blockBytes.length) {
                blockBytes = Arrays.copyOf(blockBytes, births * 2);
            }
            if (id >= requested.length) {
                requested = Arrays.copyOf(requested, Math.max(id + 1, requested.length * 2));
                streams = Arrays.copyOf(streams, requested.length);
            }
            requested[id] = bytes;
            streams[id] = stream;
            blockBytes[births++] = allocator.placement(id).orElseThrow().blockBytes();
            events.add(EventKind.ALLOC, allocator.address(id).orElseThrow(), bytes, stream, nowNs);
        } else if (outcome == Outcome.OUT_OF_MEMORY) {
            long free = device.totalBytes() - device.outsideBytes() - device.reservedBytes();
            events.add(EventKind.OOM, Math.max(0, free), bytes, stream, nowNs);
        }
    }

    private void free(int id) {
        OptionalLong address = allocator.address(id);
        if (address.isPresent()) {
            allocator.free(id);
            events.add(EventKind.FREE_COMPLETED, address.getAsLong(), requested[id], streams[id], nowNs);
        }
    }

    private Recording recording(String source, String format) {
        SnapshotEvents all = events.build();
        SnapshotDevice recorded = new SnapshotDevice(0, SnapshotSegments.NONE, SnapshotBlocks.NONE, all);
        Lives lives = LifeFinder.find(recorded, true, OpenRequest.ALL).lives();
        System.arraycopy(blockBytes, 0, lives.bytes, 0, births);
        SegmentSet segments = new SegmentSet(SegmentState.EMPTY);
        for (int i = 0; i < all.size(); i++) {
            EventKind action = all.action(i);
            if (action.aboutSegment()) {
                segments.apply(action, OpeningSegments.piece(all, i));
            }
        }
        DeviceHistory history =
                new DeviceHistory(0, all, CallStacks.NONE, lives, SegmentState.EMPTY, segments.state(), false);
        RecordingNotice replayed = new RecordingNotice(RecordingNotice.Kind.REPLAYED, RecordingNotice.WHOLE_FILE, "");
        return new Recording(source, format, false, List.of(history), annotations, Optional.empty(), List.of(replayed));
    }

    /** A driver with addresses without end, which writes down what it gives and gets back. */
    private final class RecordedAddresses implements SegmentAddresses {
        /** About where CUDA's drivers put segments on 64-bit Linux. */
        private static final long BASE = 0x7F00_0000_0000L;

        /** Segments begin at whole pages of 2 MiB, as drivers place them. */
        private static final long PAGE_BYTES = 2L << 20;

        private long next = BASE;

        @Override
        public long take(Pool pool, long bytes, int stream) {
            long address = next;
            next += (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
            events.add(EventKind.GROW, address, bytes, stream, nowNs);
            return address;
        }

        @Override
        public void hold(Pool pool, long address, long bytes) {
            // The model begins with nothing.
        }

        @Override
        public void giveBack(Pool pool, long address, long bytes) {
            events.add(EventKind.RELEASE, address, bytes, 0, nowNs);
        }
    }
}
