package dev.lacuna.core.history;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.build.LifeFinder;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.build.OpeningSegments;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** An allocator that does at random everything that a trace can tell; its recording begins late. */
public final class RandomHistory {
    private static final long MIB = 1L << 20;
    private static final long PLAIN = 0x7f00_0000_0000L;
    private static final long EXPANDABLE = 0x7f80_0000_0000L;
    private static final long PAGE = 2 * MIB;
    private static final int PAGES = 6;
    private static final long LARGE = 0x7f90_0000_0000L;
    private static final long LARGE_PAGE = 20 * MIB;
    private static final long UNIT = 512;

    private record Block(long address, long bytes, long requested) {}

    private final Random random;
    private final SegmentSet segments = new SegmentSet(SegmentState.EMPTY);
    private final TreeMap<Long, Block> live = new TreeMap<>();
    private final List<Block> pending = new ArrayList<>();
    private SnapshotEvents.Builder events = SnapshotEvents.builder();
    private SegmentState opening = SegmentState.EMPTY;
    private int segmentsTaken;

    private RandomHistory(long seed) {
        random = new Random(seed);
    }

    /** A history of about so many events. */
    public static DeviceHistory of(long seed, int size) {
        RandomHistory made = new RandomHistory(seed);
        made.go(size / 3);
        made.opening = made.segments.state();
        made.events = SnapshotEvents.builder();
        made.go(size);
        // Blocks from before the recording are known by their end alone.
        while (!made.live.isEmpty()) {
            made.free();
        }
        made.go(size / 4);
        return made.build();
    }

    private DeviceHistory build() {
        SnapshotEvents all = events.build();
        Lives lives = LifeFinder.find(
                        new SnapshotDevice(0, SnapshotSegments.NONE, SnapshotBlocks.NONE, all), true, OpenRequest.ALL)
                .lives();
        DeviceHistory history = new DeviceHistory(0, all, CallStacks.NONE, lives, opening, segments.state(), true);
        for (int a = 0; a < history.allocations(); a++) {
            lives.bytes[a] = (history.requestedOf(a) + UNIT - 1) / UNIT * UNIT;
        }
        return history;
    }

    private void go(int steps) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(9)) {
                case 0 -> segment();
                case 1 -> page();
                case 2, 3, 4, 5 -> allocate();
                case 6, 7 -> free();
                default -> complete();
            }
        }
    }

    private void segment() {
        SegmentState now = segments.state();
        for (int s = 0; s < now.size(); s++) {
            if (!now.expandable(s) && isEmpty(now.address(s), now.totalBytes(s)) && random.nextBoolean()) {
                tell(EventKind.RELEASE, now.address(s), now.totalBytes(s));
                return;
            }
        }
        long bytes = (1 + random.nextInt(3)) * PAGE;
        tell(EventKind.GROW, PLAIN + 8 * PAGE * segmentsTaken++, bytes);
    }

    private void page() {
        boolean large = random.nextBoolean();
        long page = large ? LARGE_PAGE : PAGE;
        long address = (large ? LARGE : EXPANDABLE) + random.nextInt(PAGES) * page;
        if (segments.containing(address).isEmpty()) {
            tell(EventKind.SEGMENT_MAP, address, page);
        } else if (isEmpty(address, page)) {
            tell(EventKind.SEGMENT_UNMAP, address, page);
        }
    }

    private void allocate() {
        SegmentState now = segments.state();
        if (now.size() == 0) {
            return;
        }
        int s = random.nextInt(now.size());
        long requested = 1 + random.nextInt((int) (now.large(s) && now.expandable(s) ? 12 * MIB : MIB));
        long bytes = (requested + UNIT - 1) / UNIT * UNIT;
        long places = (now.totalBytes(s) - bytes) / UNIT + 1;
        long address = now.address(s) + Math.floorMod(random.nextLong(), places) * UNIT;
        if (isEmpty(address, bytes)) {
            live.put(address, new Block(address, bytes, requested));
            tell(EventKind.ALLOC, address, requested);
        }
    }

    private void free() {
        if (live.isEmpty()) {
            return;
        }
        Map.Entry<Long, Block> entry = live.ceilingEntry(
                live.firstKey() + Math.floorMod(random.nextLong(), live.lastKey() - live.firstKey() + 1));
        Block block = live.remove(entry.getKey());
        boolean reported = random.nextInt(4) > 0;
        if (reported) {
            tell(EventKind.FREE, block.address(), block.requested());
        }
        if (reported && random.nextInt(3) == 0) {
            pending.add(block);
        } else {
            tell(EventKind.FREE_COMPLETED, block.address(), block.requested());
        }
    }

    private void complete() {
        if (!pending.isEmpty()) {
            Block block = pending.remove(random.nextInt(pending.size()));
            tell(EventKind.FREE_COMPLETED, block.address(), block.requested());
        }
    }

    private boolean isEmpty(long address, long bytes) {
        Map.Entry<Long, Block> below = live.lowerEntry(address + bytes);
        boolean taken = below != null && below.getKey() + below.getValue().bytes() > address;
        return !taken
                && pending.stream().noneMatch(b -> b.address() < address + bytes && b.address() + b.bytes() > address);
    }

    private void tell(EventKind action, long address, long bytes) {
        events.add(action, address, bytes, 0, SnapshotEvents.NO_TIME);
        SnapshotEvents one = SnapshotEvents.builder()
                .add(action, address, bytes, 0, SnapshotEvents.NO_TIME)
                .build();
        if (action.aboutSegment()) {
            segments.apply(action, OpeningSegments.piece(one, 0));
        }
    }
}
