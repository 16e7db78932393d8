package dev.lacuna.core.history;

import dev.lacuna.core.memory.GapParts;
import dev.lacuna.core.snapshot.BlockState;
import dev.lacuna.core.snapshot.SnapshotBlocks;
import dev.lacuna.core.snapshot.SnapshotDevice;
import dev.lacuna.core.snapshot.SnapshotSegments;
import dev.lacuna.core.snapshot.TraceAction;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Adds up {@link DeviceFigures}, segment by segment, block by block. */
final class FigureSums {
    /** Expandable segments are mapped and unmapped in pages of this: PyTorch's kSmallBuffer and kLargeBuffer. */
    private static final long SMALL_PAGE_BYTES = 2L << 20;

    private static final long LARGE_PAGE_BYTES = 20L << 20;

    private int segments;
    private int blocks;
    private long reserved;
    private long allocated;
    private long pending;
    private long requested;
    private long releasable;
    private long largestFree;

    /** The segment whose blocks are being added. */
    private long address;

    private long total;
    private long pageBytes;
    private boolean taken;
    private long releasablePages;

    private FigureSums() {}

    /** What the file says of the device. */
    static DeviceFigures of(SnapshotDevice device) {
        FigureSums sums = new FigureSums();
        SnapshotSegments segments = device.segments();
        SnapshotBlocks blocks = device.blocks();
        for (int s = 0; s < segments.size(); s++) {
            sums.begin(segments.address(s), segments.bytes(s), segments.expandable(s), segments.large(s));
            for (int b = segments.firstBlock(s); b < segments.endBlock(s); b++) {
                sums.block(blocks.address(b), blocks.bytes(b), blocks.requestedBytes(b), blocks.state(b));
            }
            sums.end();
        }
        // What segments say of themselves is what the allocator counted; sums of their blocks may leave something out.
        sums.allocated = device.allocatedBytes();
        sums.pending = device.activeBytes() - device.allocatedBytes();
        return sums.figures(device.events().count(TraceAction.OOM));
    }

    /** What following the events comes to. */
    static DeviceFigures of(DeviceHistory history) {
        FigureSums sums = new FigureSums();
        int[] live = IntStream.range(0, history.allocations())
                .filter(a -> history.diedAt(a) == history.size())
                .boxed()
                .sorted(Comparator.comparing(history::addressOf, Long::compareUnsigned))
                .mapToInt(Integer::intValue)
                .toArray();
        SegmentState segments = history.closing();
        int next = 0;
        for (int s = 0; s < segments.size(); s++) {
            sums.begin(segments.address(s), segments.totalBytes(s), segments.expandable(s), segments.large(s));
            if (history.chunked() && segments.expandable(s)) {
                sums.pageBytes = SMALL_PAGE_BYTES;
            }
            long at = segments.address(s);
            long end = at + segments.totalBytes(s);
            while (next < live.length && Long.compareUnsigned(history.addressOf(live[next]), end) < 0) {
                at = sums.live(history, live[next++], at);
            }
            sums.free(at, end - at);
            sums.end();
        }
        int ooms = (int) IntStream.range(0, history.size())
                .filter(i -> history.action(i) == HistoryAction.OOM)
                .count();
        return sums.figures(ooms);
    }

    /** Adds a live block and what is free before it; returns where it ends. */
    private long live(DeviceHistory history, int a, long at) {
        long start = history.addressOf(a);
        free(at, start - at);
        boolean held = history.freedAt(a) == history.size();
        block(start, history.bytesOf(a), history.requestedOf(a), held ? BlockState.ALLOCATED : BlockState.PENDING);
        return start + history.bytesOf(a);
    }

    private void free(long at, long bytes) {
        if (bytes > 0) {
            block(at, bytes, 0, BlockState.FREE);
        }
    }

    private void begin(long segmentAddress, long bytes, boolean expandable, boolean large) {
        segments++;
        reserved += bytes;
        address = segmentAddress;
        total = bytes;
        pageBytes = !expandable ? 0 : large ? LARGE_PAGE_BYTES : SMALL_PAGE_BYTES;
        taken = false;
        releasablePages = 0;
    }

    private void block(long at, long bytes, long asked, BlockState state) {
        blocks++;
        switch (state) {
            case ALLOCATED -> {
                allocated += bytes;
                requested += asked;
                taken = true;
            }
            case PENDING -> {
                pending += bytes;
                taken = true;
            }
            case FREE -> {
                largestFree = Math.max(largestFree, bytes);
                releasablePages += wholePages(at - address, bytes);
            }
        }
    }

    /** Bytes in whole pages of a free piece; 0 in segments that go back as a whole or not at all. */
    private long wholePages(long offset, long bytes) {
        if (pageBytes == 0) {
            return 0;
        }
        long first = (offset + pageBytes - 1) / pageBytes * pageBytes;
        long last = (offset + bytes) / pageBytes * pageBytes;
        return Math.max(0, last - first);
    }

    private void end() {
        releasable += taken ? releasablePages : total;
    }

    private DeviceFigures figures(int ooms) {
        GapParts parts = GapParts.within(reserved - allocated, releasable, pending);
        return new DeviceFigures(
                segments, blocks, reserved, allocated, allocated + pending, requested, parts, largestFree, ooms);
    }
}
