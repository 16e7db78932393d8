package dev.lacuna.core.replay.snapshot;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.HeldSegment.HeldBlock;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import dev.lacuna.core.trace.snapshot.model.SnapshotStreams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an allocator held when the recording began: the segments of the snapshot with its trace rolled back. A recording that
 * began with the program starts from nothing.
 *
 * <p>A trace tells of a freed block what was asked for, not its size. The rest is found from the split rule: what lies behind
 * a live block and is too small to be split off belongs to it. Where the block behind it was free as well when the recording
 * began, such a rest cannot be told from the trace rolled back, and is taken to be free unless somebody knows better.
 */
final class SnapshotStart {
    /** Up to this a free rest of a large block is not split off: PyTorch's kSmallSize. */
    private static final long LARGE_REST_BYTES = 1L << 20;

    /** PyTorch's kSmallBuffer: no segment of a large pool is as small. */
    private static final long SMALL_SEGMENT_BYTES = 2L << 20;

    private record Segment(long bytes, int stream, boolean large) {}

    /** A live block; its size is a guess where only the trace tells of it. */
    private record Live(long bytes, long requested, boolean guessed) {
        /** The block once its size was found out; 0 where it was not. */
        Live knowing(long size) {
            return guessed && size > 0 ? new Live(Math.max(size, bytes), requested, false) : this;
        }
    }

    private final CachingOptions options;
    private final SnapshotStreams streams;
    private final TreeMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);
    private final TreeMap<Long, Live> live = new TreeMap<>(Long::compareUnsigned);
    private final Map<Long, Integer> ids = new HashMap<>();
    private final Map<Long, Long> guessedByEnd = new HashMap<>();

    /**
     * Rolls the device's trace back, once: what is found out of sizes later changes only what {@link #heldSegments} makes of it.
     *
     * @throws SnapshotReplayException when the trace contradicts the segments, or segments are expandable
     * @throws java.util.concurrent.CancellationException when the thread is interrupted
     */
    SnapshotStart(SnapshotDevice device, CachingOptions options, SnapshotStreams streams) {
        this.options = options;
        this.streams = streams;
        takeSegments(device);
        SnapshotEvents events = device.events();
        for (int i = events.size() - 1; i >= 0; i--) {
            Replay.stopWhenInterruptedAt(i);
            undo(events, i);
        }
    }

    /**
     * The segments held, with names 0, 1, … for their live blocks.
     *
     * @param knownSizes sizes of blocks that the trace does not tell, by their addresses, where they were found out
     */
    List<HeldSegment> heldSegments(Map<Long, Long> knownSizes) {
        ids.clear();
        guessedByEnd.clear();
        List<HeldSegment> held = new ArrayList<>();
        segments.forEach((address, segment) -> held.add(new HeldSegment(
                segment.large(), address, segment.bytes(), segment.stream(), blocks(address, segment, knownSizes))));
        if (ids.size() != live.size()) {
            throw new SnapshotReplayException("blocks lie outside all segments");
        }
        return held;
    }

    /** Names of the live blocks by address; complete once {@link #heldSegments} was called. */
    Map<Long, Integer> ids() {
        return ids;
    }

    /** The live block whose guessed size ends it here, with free memory behind; complete as the names are. */
    Optional<Long> guessedEndingAt(long end) {
        return Optional.ofNullable(guessedByEnd.get(end));
    }

    private void takeSegments(SnapshotDevice device) {
        SnapshotSegments from = device.segments();
        SnapshotBlocks blocks = device.blocks();
        for (int s = 0; s < from.size(); s++) {
            if (from.expandable(s)) {
                throw new SnapshotReplayException("segments are expandable");
            }
            int stream = streams.number(from.pool(s), from.stream(s));
            segments.put(from.address(s), new Segment(from.bytes(s), stream, from.large(s)));
            for (int b = from.firstBlock(s); b < from.endBlock(s); b++) {
                if (blocks.state(b) != BlockState.FREE) {
                    live.put(blocks.address(b), new Live(blocks.bytes(b), blocks.requestedBytes(b), false));
                }
            }
        }
    }

    private void undo(SnapshotEvents events, int i) {
        long address = events.address(i);
        long bytes = events.bytes(i);
        boolean possible = switch (events.action(i)) {
            case ALLOC -> live.remove(address) != null;
            case FREE_COMPLETED -> live.put(address, freed(bytes)) == null;
            case GROW ->
                segments.remove(address) != null
                        && live.subMap(address, address + bytes).isEmpty();
            case RELEASE ->
                segments.put(
                                address,
                                new Segment(
                                        bytes,
                                        streams.number(events.pool(i), events.stream(i)),
                                        bytes > SMALL_SEGMENT_BYTES))
                        == null;
            case SEGMENT_MAP, SEGMENT_UNMAP -> throw new SnapshotReplayException("segments are expandable");
            default -> true;
        };
        if (!possible) {
            throw new SnapshotReplayException("entry " + i + " of the trace contradicts what comes after it");
        }
    }

    private Live freed(long requested) {
        return new Live(options.rounded(requested), requested, true);
    }

    private List<HeldBlock> blocks(long start, Segment segment, Map<Long, Long> knownSizes) {
        List<HeldBlock> blocks = new ArrayList<>();
        long end = start + segment.bytes();
        long at = start;
        for (Map.Entry<Long, Live> entry : live.subMap(start, end).entrySet()) {
            addFree(blocks, entry.getKey() - at);
            Long next = live.higherKey(entry.getKey());
            long room = (next == null || next >= end ? end : next) - entry.getKey();
            Live block = entry.getValue().knowing(knownSizes.getOrDefault(entry.getKey(), 0L));
            long bytes = withRest(block, room, segment.large());
            ids.put(entry.getKey(), ids.size());
            blocks.add(HeldBlock.live(ids.size() - 1, bytes, block.requested()));
            at = entry.getKey() + bytes;
            if (block.guessed() && bytes < room) {
                guessedByEnd.put(at, entry.getKey());
            }
        }
        addFree(blocks, end - at);
        return blocks;
    }

    /** The size of a live block for which there is so much room up to the next one. */
    private long withRest(Live block, long room, boolean large) {
        if (block.bytes() > room) {
            throw new SnapshotReplayException("blocks overlap");
        }
        long most = block.bytes() >= options.maxSplitBytes() ? Long.MAX_VALUE : LARGE_REST_BYTES;
        return large && room - block.bytes() <= most ? room : block.bytes();
    }

    private static void addFree(List<HeldBlock> blocks, long bytes) {
        if (bytes > 0) {
            blocks.add(HeldBlock.free(bytes));
        } else if (bytes < 0) {
            throw new SnapshotReplayException("blocks overlap");
        }
    }
}
