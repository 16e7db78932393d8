package dev.lacuna.core.history.timeline;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Releasable;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.model.SegmentState.Segment;
import java.util.Arrays;

/**
 * How much of each segment blocks take, followed through a device's events: what the allocator could release, as {@link Releasable}
 * says. Segments are those of a {@link SegmentSet}, kept in columns by unsigned address because
 * every block asks for its own.
 */
final class SegmentUse {
    /** Where more than 1 TiB is reserved, a file made it up, and pages are not counted one by one. */
    private static final long MOST_BYTES = 1L << 40;

    private final DeviceHistory device;
    private final SegmentSet segments;
    private final LiveAllocations live;
    private long[] starts;
    private long[] bytes;
    private long[] used;

    /** Pages of rows that go back page by page; {@link PageUse#NONE} of others, and of runs. */
    private PageUse[] pages;

    /** Rows whose chunks are known wherever they lie: the agent's runs. */
    private boolean[] runs;

    private final ChunkUse chunks = new ChunkUse();
    private int rows;
    private long releasable;

    /** The segments at moment 0 and what the blocks that were there take of them. */
    SegmentUse(DeviceHistory device) {
        this.device = device;
        SegmentState opening = device.opening();
        segments = new SegmentSet(opening);
        live = new LiveAllocations(device.allocations());
        rows = opening.size();
        starts = new long[rows];
        bytes = new long[rows];
        used = new long[rows];
        pages = new PageUse[rows];
        runs = new boolean[rows];
        for (int row = 0; row < rows; row++) {
            starts[row] = opening.address(row);
            bytes[row] = opening.totalBytes(row);
            runs[row] = device.chunked() && opening.expandable(row);
            pages[row] = PageUse.untouched(starts[row], bytes[row], pageBytes(opening.segment(row)));
            releasable += whole(row);
            if (runs[row]) {
                chunks.map(starts[row], bytes[row]);
            }
        }
        for (int a = 0; a < device.openingAllocations(); a++) {
            take(a);
        }
    }

    /** Bytes taken from the device now. */
    long reserved() {
        return segments.reservedBytes();
    }

    /** Bytes of segments that are wholly free now, and of free pages of the others; of the agent's runs, of free chunks. */
    long releasable() {
        return releasable + chunks.idleBytes();
    }

    /** Goes on over one event. */
    void apply(int event) {
        if (device.action(event).aboutSegment()) {
            change(event);
            return;
        }
        int a = device.allocation(event);
        if (a == DeviceHistory.NONE) {
            return;
        }
        if (device.bornAt(a) == event) {
            take(a);
        } else if (device.diedAt(a) == event) {
            give(a);
        }
    }

    private void take(int a) {
        live.add(a);
        int row = rowOf(device.addressOf(a));
        if (row >= 0) {
            releasable -= whole(row);
            used[row] += device.bytesOf(a);
            pages[row].take(device.addressOf(a), device.bytesOf(a));
            releasable += whole(row);
        }
        if (row >= 0 && runs[row]) {
            chunks.take(device.addressOf(a), device.bytesOf(a));
        }
    }

    private void give(int a) {
        live.remove(a);
        int row = rowOf(device.addressOf(a));
        if (row >= 0) {
            releasable -= whole(row);
            used[row] -= device.bytesOf(a);
            pages[row].give(device.addressOf(a), device.bytesOf(a));
            releasable += whole(row);
        }
        if (row >= 0 && runs[row]) {
            chunks.give(device.addressOf(a), device.bytesOf(a));
        }
    }

    /** What contradicts itself changes nothing: whether an event fits is told by the set. */
    private void change(int event) {
        long before = segments.reservedBytes();
        segments.apply(device, event);
        long change = segments.reservedBytes() - before;
        long address = device.address(event);
        if (change == 0) {
            return;
        }
        switch (device.action(event)) {
            case GROW -> insert(firstFrom(address), address, change, 0, PageUse.NONE, false);
            case RELEASE -> remove(rowOf(address));
            case SEGMENT_MAP -> {
                long pageBytes =
                        segments.containing(address).map(this::pageBytes).orElse(Releasable.NO_PAGES);
                PageUse untouched = PageUse.untouched(address, change, pageBytes);
                insert(firstFrom(address), address, change, 0, untouched, device.chunked());
                if (device.chunked()) {
                    chunks.map(address, change);
                }
                segments.containing(address).ifPresent(this::join);
            }
            case SEGMENT_UNMAP -> {
                int row = rowOf(address);
                if (runs[row]) {
                    chunks.unmap(address, -change);
                }
                cut(row, address, -change);
            }
            default -> throw new IllegalArgumentException("no event about a segment: " + device.action(event));
        }
    }

    /** All rows within a segment become one. */
    private void join(Segment segment) {
        int row = firstFrom(segment.address());
        boolean fits = pages[row].pageBytes() == pageBytes(segment);
        while (row + 1 < rows && starts[row + 1] - segment.address() < segment.totalBytes()) {
            long more = bytes[row + 1];
            long moreUsed = used[row + 1];
            PageUse behind = pages[row + 1];
            remove(row + 1);
            releasable -= whole(row);
            fits = fits && pages[row].append(behind, bytes[row]);
            bytes[row] += more;
            used[row] += moreUsed;
            releasable += whole(row);
        }
        if (!fits) {
            releasable -= whole(row);
            pages[row] = PageUse.of(starts[row], bytes[row], pageBytes(segment), device, live);
            releasable += whole(row);
        }
    }

    /** Takes a piece out of a row; which blocks are behind it only the blocks know. */
    private void cut(int row, long address, long gone) {
        long start = starts[row];
        long low = address - start;
        long high = bytes[row] - low - gone;
        long all = used[row];
        boolean run = runs[row];
        PageUse page = pages[row];
        remove(row);
        long behind =
                high == 0 || run ? 0 : low == 0 || all == 0 ? all : live.bytesWithin(device, address + gone, high);
        if (high > 0) {
            PageUse above = page.beginsPage(low + gone)
                    ? page.from(low + gone, high)
                    : PageUse.of(address + gone, high, page.pageBytes(), device, live);
            insert(row, address + gone, high, behind, above, run);
        }
        if (low > 0) {
            page.truncate(low);
            insert(row, start, low, all - behind, page, run);
        }
    }

    /** Size of the pages that are followed one by one here: those of runs are chunks. */
    private long pageBytes(Segment segment) {
        boolean believed = Long.compareUnsigned(segments.reservedBytes(), MOST_BYTES) <= 0;
        return device.chunked() || !believed
                ? Releasable.NO_PAGES
                : Releasable.pageBytes(false, segment.expandable(), segment.large());
    }

    private void insert(int row, long start, long length, long taken, PageUse page, boolean run) {
        if (rows == starts.length) {
            int room = Math.max(64, rows * 2);
            starts = Arrays.copyOf(starts, room);
            bytes = Arrays.copyOf(bytes, room);
            used = Arrays.copyOf(used, room);
            pages = Arrays.copyOf(pages, room);
            runs = Arrays.copyOf(runs, room);
        }
        for (long[] column : new long[][] {starts, bytes, used}) {
            System.arraycopy(column, row, column, row + 1, rows - row);
        }
        System.arraycopy(pages, row, pages, row + 1, rows - row);
        System.arraycopy(runs, row, runs, row + 1, rows - row);
        rows++;
        pages[row] = page;
        runs[row] = run;
        starts[row] = start;
        bytes[row] = length;
        used[row] = taken;
        releasable += whole(row);
    }

    private void remove(int row) {
        releasable -= whole(row);
        for (long[] column : new long[][] {starts, bytes, used}) {
            System.arraycopy(column, row + 1, column, row, rows - row - 1);
        }
        System.arraycopy(pages, row + 1, pages, row, rows - row - 1);
        System.arraycopy(runs, row + 1, runs, row, rows - row - 1);
        rows--;
    }

    /** What a row adds to what is releasable. */
    private long whole(int row) {
        if (runs[row]) {
            return 0;
        }
        return used[row] == 0 ? bytes[row] : pages[row].idleBytes();
    }

    /** The row that an address lies in, or −1. */
    private int rowOf(long address) {
        int row = firstFrom(address);
        if (row < rows && starts[row] == address) {
            return row;
        }
        return row > 0 && Long.compareUnsigned(address - starts[row - 1], bytes[row - 1]) < 0 ? row - 1 : -1;
    }

    /** The first row at this address or above it. */
    private int firstFrom(long address) {
        int low = 0;
        int high = rows;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(starts[middle], address) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
