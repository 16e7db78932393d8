package dev.lacuna.core.replay.snapshot;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotStreams;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the caching model against a recorded run of the real allocator: each request of a snapshot's trace has to get the
 * address that it got then. Only the addresses of new segments are taken from the recording, since the driver decides those;
 * when a segment is needed, how large it is and which ones an empty cache gives back is the model's word against it.
 */
public final class SnapshotReplay {
    /** A rest that is not split off a block is not larger: PyTorch's kSmallSize. */
    private static final long LARGEST_REST_BYTES = 1L << 20;

    /** How many sizes that the trace does not tell may be found out, each by a replay of its own. */
    private static final int MOST_FOUND_OUT = 100;

    /** How many entries all of it may go through, the one way back included: some seconds. A recording of millions is not begun anew a hundred times. */
    static final long MOST_ENTRIES = 20_000_000;

    private final SnapshotEvents events;
    private final RecordedSegments driver = new RecordedSegments();
    private final SnapshotStreams streams;
    private final SnapshotStart start;
    private final CachingAllocator allocator;
    private final List<HeldSegment> held;
    private final Map<Long, Integer> ids;
    private final Map<Long, Long> knownSizes;
    private int nextId;
    private int allocations;
    private int segments;
    private boolean foundOut;
    private int reached;
    private Optional<String> difference = Optional.empty();

    private SnapshotReplay(
            SnapshotEvents events,
            CachingOptions options,
            SnapshotStreams streams,
            SnapshotStart start,
            Map<Long, Long> knownSizes) {
        this.streams = streams;
        this.knownSizes = knownSizes;
        this.events = events;
        this.start = start;
        held = start.heldSegments(knownSizes);
        allocator = new CachingAllocator(Device.ofCapacity(Device.DEFAULT_RANGE_BYTES), options, driver);
        held.forEach(allocator::adopt);
        ids = new HashMap<>(start.ids());
        nextId = ids.size();
    }

    /**
     * Replays one device's trace up to its end, or to the first difference. Where a difference shows that a block which the
     * recording found there was larger than its trace tells, the replay begins anew with that knowledge.
     *
     * @param options the options that the allocator ran with
     * @throws SnapshotReplayException when the recording cannot be replayed under these rules
     */
    public static SnapshotReplayResult run(SnapshotDevice device, CachingOptions options) {
        return run(device, options, MOST_ENTRIES);
    }

    /** The same within so many entries of all replays together; one replay there always is. */
    static SnapshotReplayResult run(SnapshotDevice device, CachingOptions options, long mostEntries) {
        return replayed(device, options, new SnapshotStreams(), mostEntries).result();
    }

    /**
     * The segments that were held when the recording began, with names 0, 1, … for their live blocks in order of address; none
     * where it began with the program.
     *
     * @param streams numbers for the streams
     * @throws SnapshotReplayException when the recording cannot be replayed under these rules
     */
    static List<HeldSegment> heldAtFirst(SnapshotDevice device, CachingOptions options, SnapshotStreams streams) {
        return replayed(device, options, streams, MOST_ENTRIES).held;
    }

    private static SnapshotReplay replayed(
            SnapshotDevice device, CachingOptions options, SnapshotStreams streams, long mostEntries) {
        Map<Long, Long> knownSizes = new HashMap<>();
        SnapshotEvents events = device.events();
        SnapshotStart start = new SnapshotStart(device, options, streams);
        SnapshotReplay replay = new SnapshotReplay(events, options, streams, start, knownSizes);
        replay.replay();
        long entries = (long) events.size() + replay.reached;
        while (replay.foundOut && knownSizes.size() <= MOST_FOUND_OUT && entries < mostEntries) {
            Replay.stopWhenInterrupted();
            replay = new SnapshotReplay(events, options, streams, start, knownSizes);
            replay.replay();
            entries += replay.reached;
        }
        return replay;
    }

    private void replay() {
        while (reached < events.size() && difference.isEmpty()) {
            Replay.stopWhenInterruptedAt(reached);
            reached = step(reached);
        }
        if (difference.isEmpty() && driver.left() > 0) {
            difference = Optional.of(driver.left() + " recorded segments were not needed");
        }
    }

    private SnapshotReplayResult result() {
        MemoryCounters end = allocator.counters();
        return new SnapshotReplayResult(
                !held.isEmpty(), allocations, segments, end.reservedBytes(), end.allocatedBytes(), difference);
    }

    /** Replays entry i and returns the next one to replay. */
    private int step(int i) {
        switch (events.action(i)) {
            case ALLOC -> allocate(i);
            case FREE_COMPLETED -> free(i);
            case GROW -> driver.record(events.address(i), events.bytes(i));
            case RELEASE -> {
                return emptyCache(i);
            }
            default -> {}
        }
        return i + 1;
    }

    private void allocate(int i) {
        int id = nextId++;
        int before = driver.left();
        Outcome outcome = allocator.allocate(id, events.bytes(i), streams.number(events.pool(i), events.stream(i)));
        if (!driver.takeReturned().isEmpty()) {
            differs(i, "needed a segment that was not taken then");
        } else if (driver.left() > 0) {
            differs(i, "needed no new segment, or one of another size");
        } else if (outcome == Outcome.OUT_OF_MEMORY) {
            differs(i, "needed a new segment");
        } else if (outcome == Outcome.EMPTY) {
            differs(i, "asked for nothing");
        } else if (allocator.address(id).orElseThrow() != events.address(i)) {
            long address = allocator.address(id).orElseThrow();
            findOut(address, events.address(i));
            differs(i, "lies at 0x" + Long.toHexString(address));
        } else {
            allocations++;
            segments += before;
            ids.put(events.address(i), id);
        }
    }

    /** Where the model gives what lies right behind a block of guessed size, and the request got more, that block is larger. */
    private void findOut(long given, long recorded) {
        long rest = recorded - given;
        Optional<Long> before = start.guessedEndingAt(given);
        if (before.isPresent() && rest > 0 && rest <= LARGEST_REST_BYTES) {
            knownSizes.put(before.get(), recorded - before.get());
            foundOut = true;
        }
    }

    private void free(int i) {
        Integer id = ids.remove(events.address(i));
        if (id == null) {
            differs(i, "frees a block that is not live");
        } else {
            allocator.free(id);
        }
    }

    /** A cache is emptied at once, in whichever order; so a whole run of entries is compared. */
    private int emptyCache(int first) {
        Set<Long> expected = new HashSet<>();
        int i = first;
        while (i < events.size() && events.action(i) == EventKind.RELEASE) {
            expected.add(events.address(i++));
        }
        allocator.emptyCache();
        Set<Long> returned = driver.takeReturned();
        if (!returned.equals(expected)) {
            differs(
                    first,
                    "begins the return of " + expected.size() + " segments, the model returns " + returned.size());
        }
        return i;
    }

    private void differs(int i, String how) {
        difference = Optional.of("entry " + i + " (" + events.action(i).label() + " of " + events.bytes(i)
                + " bytes at 0x" + Long.toHexString(events.address(i)) + ") " + how);
    }
}
