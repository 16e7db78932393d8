package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotStreams;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a snapshot recorded of one device, as a trace: requests with the sizes asked for, and frees at the moment when the
 * block became free. Marks no phases.
 *
 * <p>A recording mostly starts late. Blocks that were live before it are asked for first, in order of address: those that
 * the recording frees without having allocated them, and those that are live at its end and it never allocated. A request
 * that ran out of memory is asked for and freed at once. Segments given back outside of a request become {@code
 * empty-cache}. Streams are numbered in the order of their first use, the default one is 0; each pair of private
 * pools has streams of its own, since memory is not shared between them.
 */
public final class SnapshotTrace {
    private static final long NS_PER_US = 1000;

    private final SnapshotDevice device;
    private final SnapshotEvents events;
    private final AllocationTrace.Builder trace = AllocationTrace.builder();
    private final Map<Long, Integer> live = new HashMap<>();
    private final SnapshotStreams streams;
    private final boolean reachesEnd;

    private SnapshotTrace(SnapshotDevice device, SnapshotStreams streams, boolean reachesEnd) {
        this.device = device;
        this.events = device.events();
        this.streams = streams;
        this.reachesEnd = reachesEnd;
    }

    /** The trace of one device; empty when nothing was recorded and nothing is allocated. */
    public static AllocationTrace of(SnapshotDevice device) {
        return of(device, new SnapshotStreams(), true);
    }

    /**
     * The same.
     *
     * @param streams numbers of streams, which somebody else counts on
     * @param reachesEnd whether the recording goes on until the segments were taken down. Of one that was cut before, a block of
     *     theirs counts as live from the beginning only where no entry tells of memory within it
     */
    public static AllocationTrace of(SnapshotDevice device, SnapshotStreams streams, boolean reachesEnd) {
        return new SnapshotTrace(device, streams, reachesEnd).convert();
    }

    private AllocationTrace convert() {
        liveBefore().forEach(this::begin);
        long startUs = events.size() == 0 ? 0 : events.timeUs(0).orElse(0);
        for (int i = 0; i < events.size(); i++) {
            trace.at(Math.max(0, events.timeUs(i).orElse(startUs) - startUs) * NS_PER_US);
            convert(i);
        }
        return trace.build();
    }

    private void convert(int i) {
        switch (events.action(i)) {
            case ALLOC -> begin(events.address(i), request(i));
            case FREE_COMPLETED -> {
                Integer block = live.remove(events.address(i));
                if (block != null) {
                    trace.free(block);
                }
            }
            case OOM -> trace.free(trace.alloc(events.bytes(i), streams.number(events.pool(i), events.stream(i))));
            case RELEASE, SEGMENT_UNMAP -> {
                if (endsEmptyCache(i)) {
                    trace.emptyCache();
                }
            }
            default -> {}
        }
    }

    private void begin(long address, Request request) {
        live.put(address, trace.alloc(request.bytes(), streams.number(request.pool(), request.stream())));
    }

    /** Blocks live when the recording began, by unsigned address. */
    private Map<Long, Request> liveBefore() {
        Map<Long, Request> before = new TreeMap<>(Long::compareUnsigned);
        Set<Long> allocated = new HashSet<>();
        for (int i = 0; i < events.size(); i++) {
            long address = events.address(i);
            if (events.action(i) == EventKind.ALLOC) {
                allocated.add(address);
            } else if (tellsOfLive(events.action(i)) && !allocated.contains(address)) {
                before.putIfAbsent(address, request(i));
            }
        }
        NavigableSet<Long> reported = new TreeSet<>(Long::compareUnsigned);
        if (!reachesEnd) {
            reported.addAll(allocated);
            reported.addAll(before.keySet());
        }
        SnapshotBlocks blocks = device.blocks();
        for (int b = 0; b < blocks.size(); b++) {
            long address = blocks.address(b);
            boolean heldAtEnd = blocks.state(b) != BlockState.FREE && !allocated.contains(address);
            if (heldAtEnd && reported.subSet(address, address + blocks.bytes(b)).isEmpty()) {
                int segment = blocks.segment(b);
                before.put(
                        address,
                        new Request(
                                blocks.requestedBytes(b),
                                device.segments().pool(segment),
                                device.segments().stream(segment)));
            }
        }
        return before;
    }

    /** Whether such an entry tells that a block was live: of a free that was cut off, its request does. */
    private boolean tellsOfLive(EventKind action) {
        return action == EventKind.FREE_COMPLETED || !reachesEnd && action == EventKind.FREE;
    }

    /** Whether entry i is the last of some that give memory back, and no request for more follows that explains them. */
    private boolean endsEmptyCache(int i) {
        if (i + 1 == events.size()) {
            return true;
        }
        return switch (events.action(i + 1)) {
            case RELEASE, SEGMENT_UNMAP, GROW, SEGMENT_MAP, OOM -> false;
            default -> true;
        };
    }

    private Request request(int i) {
        return new Request(events.bytes(i), events.pool(i), events.stream(i));
    }

    /** A request for memory: bytes asked for, the pair of pools, and the handle of the stream. */
    private record Request(long bytes, PoolId pool, long stream) {}
}
