package dev.lacuna.core.history.timeline;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.build.LifeFinder;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Not a test: how long it takes to go to a moment at which many blocks live, and prints the row of docs/performance.md. Arguments:
 * blocks that live at once, 100,000 unless said, and events, 5,000,000 unless said. The events replace blocks at random, so that
 * neighbours in memory are far apart in the history: the worst that there is for a cache.
 */
final class RewindSpeed {
    private static final long UNIT = 512;
    private static final int BLOCKS_IN_A_SEGMENT = 40;
    private static final long BASE = 0x7f00_0000_0000L;
    private static final int JUMPS = 600;
    private static final int WARM_UP = 100;

    private RewindSpeed() {}

    public static void main(String... args) {
        int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int events = args.length > 1 ? Integer.parseInt(args[1]) : 5_000_000;
        DeviceHistory history = history(blocks, events);
        long begun = System.nanoTime();
        Rewind rewind = new Rewind(history);
        double prepared = (System.nanoTime() - begun) / 1e6;
        System.out.println(
                "| moments of %,d blocks in %,d events | median ms | 95 %% ms | longest ms | CPU ms | prepared in ms |"
                        .formatted(blocks, events));
        System.out.println("|---|---|---|---|---|---|");
        Random random = new Random(1);
        int many = events - 2 * blocks;
        measure("anywhere", rewind, prepared, i -> 2 * blocks + random.nextInt(many));
        measure("one event further", rewind, prepared, i -> 2 * blocks + many / 2 + i);
        measure("one event back", rewind, prepared, i -> 2 * blocks + many / 2 - i);
    }

    /** Where to go next. */
    private interface Jump {
        int to(int i);
    }

    private static void measure(String name, Rewind rewind, double prepared, Jump jump) {
        long[] times = new long[JUMPS];
        long cpu = 0;
        for (int i = -WARM_UP; i < JUMPS; i++) {
            if (i == 0) {
                cpu = cpuTime();
            }
            int moment = jump.to(i);
            long begun = System.nanoTime();
            rewind.at(moment);
            if (i >= 0) {
                times[i] = System.nanoTime() - begun;
            }
        }
        double cpuMs = (cpuTime() - cpu) / 1e6 / JUMPS;
        Arrays.sort(times);
        System.out.println(String.format(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %.1f | %.1f | %.0f |",
                name,
                times[JUMPS / 2] / 1e6,
                times[JUMPS * 95 / 100] / 1e6,
                times[JUMPS - 1] / 1e6,
                cpuMs,
                prepared));
    }

    private static long cpuTime() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Fills every place, then frees one at random and fills it again, as often as there are events. */
    private static DeviceHistory history(int blocks, int events) {
        Random random = new Random(7);
        SnapshotEvents.Builder reported = SnapshotEvents.builder();
        long segmentBytes = 2 * UNIT * BLOCKS_IN_A_SEGMENT;
        boolean[] taken = new boolean[blocks];
        for (int i = 0; reported.size() < events; i++) {
            int place = i < blocks ? i : random.nextInt(blocks);
            long segment = BASE + place / BLOCKS_IN_A_SEGMENT * segmentBytes;
            long address = segment + 2 * UNIT * (place % BLOCKS_IN_A_SEGMENT);
            if (place == i && i % BLOCKS_IN_A_SEGMENT == 0) {
                reported.add(EventKind.GROW, segment, segmentBytes, 0, SnapshotEvents.NO_TIME);
            }
            if (taken[place]) {
                reported.add(EventKind.FREE, address, UNIT, 0, SnapshotEvents.NO_TIME);
                reported.add(EventKind.FREE_COMPLETED, address, UNIT, 0, SnapshotEvents.NO_TIME);
            }
            taken[place] = true;
            reported.add(EventKind.ALLOC, address, UNIT, 0, SnapshotEvents.NO_TIME);
        }
        SnapshotEvents all = reported.build();
        SnapshotDevice device = new SnapshotDevice(0, SnapshotSegments.NONE, SnapshotBlocks.NONE, all);
        Lives lives = LifeFinder.find(device, true, OpenRequest.ALL).lives();
        Arrays.fill(lives.bytes, UNIT);
        return new DeviceHistory(0, all, CallStacks.NONE, lives, SegmentState.EMPTY, SegmentState.EMPTY, true);
    }
}
