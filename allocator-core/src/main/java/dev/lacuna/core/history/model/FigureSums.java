package dev.lacuna.core.history.model;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import java.util.stream.IntStream;

/** Adds up {@link DeviceFigures}: of what a file says, segment by segment, block by block; or of the last moment. */
public final class FigureSums {
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
    public static DeviceFigures of(SnapshotDevice device) {
        FigureSums sums = new FigureSums();
        SnapshotSegments segments = device.segments();
        SnapshotBlocks blocks = device.blocks();
        for (int s = 0; s < segments.size(); s++) {
            long pageBytes = Releasable.pageBytes(false, segments.expandable(s), segments.large(s));
            sums.begin(segments.address(s), segments.bytes(s), pageBytes);
            for (int b = segments.firstBlock(s); b < segments.endBlock(s); b++) {
                sums.block(blocks.address(b), blocks.bytes(b), blocks.requestedBytes(b), blocks.state(b));
            }
            sums.end();
        }
        // What segments say of themselves is what the allocator counted; sums of their blocks may leave something out.
        sums.allocated = device.allocatedBytes();
        sums.pending = device.activeBytes() - device.allocatedBytes();
        return sums.figures(device.events().count(EventKind.OOM));
    }

    /** What following the events comes to. */
    public static DeviceFigures of(DeviceHistory history) {
        Moment last = Moment.of(history, history.size(), history.closing());
        long largestHole = IntStream.range(0, last.segments().size())
                .mapToLong(last::largestHoleBytes)
                .max()
                .orElse(0);
        int ooms = (int) IntStream.range(0, history.size())
                .filter(i -> history.action(i) == EventKind.OOM)
                .count();
        MemoryAtMoment totals = last.totals();
        return new DeviceFigures(
                last.segments().size(),
                last.pieces(),
                totals.reserved(),
                totals.allocated(),
                totals.active(),
                totals.requested(),
                totals.gap(),
                largestHole,
                ooms);
    }

    private void begin(long segmentAddress, long bytes, long pages) {
        segments++;
        reserved += bytes;
        address = segmentAddress;
        total = bytes;
        pageBytes = pages;
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
                releasablePages += Releasable.wholePages(at - address, bytes, pageBytes);
            }
        }
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
