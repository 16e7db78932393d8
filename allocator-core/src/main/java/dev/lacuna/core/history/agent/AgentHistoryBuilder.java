package dev.lacuna.core.history.agent;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.agent.AgentEvidence.Untold;
import dev.lacuna.core.history.build.BlockSizes;
import dev.lacuna.core.history.build.LifeFinder;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.AgentMemory;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.EventPools;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.LiveSpans;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.model.SegmentState.Segment;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import dev.lacuna.core.trace.snapshot.model.SnapshotSegments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Walks over what the agent told and writes it down as a history's events. Where a later event shows that something ended unseen (its free
 * or its unmapping was lost, or the agent does not tell where moved chunks came from), the end stands right before that event.
 */
final class AgentHistoryBuilder {
    private static final Phase[] PHASES = Phase.values();

    /** A live block: where it ends, and which loss came before it. */
    private record Live(long address, long end, long requested, long stream, int pool, int losses)
            implements LiveSpans.Block {
        @Override
        public long bytes() {
            return end - address;
        }
    }

    private final AgentHistory reported;
    private final AgentRows rows;
    private final AgentEvidence evidence;
    private final SnapshotEvents.Builder events = SnapshotEvents.builder();
    private final List<HistoryAnnotation> marks = new ArrayList<>();
    private final LiveSpans<Live> live = new LiveSpans<>();
    private final SegmentSet segments;
    private final SegmentState opening;

    /** Sizes of blocks that completions tell, by event. */
    private final Map<Integer, Long> exactBytes = new HashMap<>();

    /** How many events of the history each row of {@link AgentHistory#counted} stands behind. */
    private final int[] countedAt;

    private byte[] pools = new byte[1024];
    private long nowNs;
    private int losses;
    private int contradictions;
    private long unreportedMoves;

    AgentHistoryBuilder(AgentHistory reported, AgentEvidence evidence) {
        this.reported = reported;
        this.evidence = evidence;
        rows = reported.rows();
        countedAt = new int[reported.counted().size()];
        SegmentSet first = new SegmentSet(SegmentState.EMPTY);
        evidence.memory(0).segments().forEach(first::add);
        opening = first.state();
        segments = new SegmentSet(opening);
    }

    AgentHistory.Result build(OpenRequest request) {
        for (int i = 0; i < rows.size(); i++) {
            request.checkAt(i);
            noteCounted(i);
            follow(i);
        }
        noteCounted(rows.size());
        SnapshotEvents all = events.build();
        SnapshotDevice recorded =
                new SnapshotDevice(reported.device(), SnapshotSegments.NONE, SnapshotBlocks.NONE, all);
        LifeFinder.Result found = LifeFinder.find(recorded, true, request);
        contradictions += found.contradictions();
        exactBytes.forEach((event, bytes) -> setBytes(found.lives(), event, bytes));
        BlockSizes.find(all, found.lives(), opening, CachingOptions.AGENT, false, request);
        HeldBefore before = HeldBefore.of(reported, countedAt, all, found.lives(), opening);
        Lives lives = before.lives(found.lives());
        DeviceHistory history = new DeviceHistory(
                reported.device(),
                all,
                CallStacks.NONE,
                lives,
                before.with(opening),
                before.with(segments.state()),
                true,
                new EventPools(Arrays.copyOf(pools, all.size()), poolsOf(lives)),
                Optional.empty());
        return new AgentHistory.Result(history, marks, notices(history, before));
    }

    private void noteCounted(int row) {
        for (int c = 0; c < countedAt.length; c++) {
            if (reported.counted().get(c).rows() == row) {
                countedAt[c] = events.size();
            }
        }
    }

    private static void setBytes(Lives lives, int event, long bytes) {
        int a = lives.ofEvent[event];
        if (a != DeviceHistory.NONE && bytes >= 0) {
            lives.bytes[a] = bytes;
        }
    }

    /** A block stands in the pool that its request or, where that is not known, its free names. */
    private byte[] poolsOf(Lives lives) {
        byte[] out = new byte[lives.born.length];
        Arrays.fill(out, (byte) -1);
        for (int i = lives.ofEvent.length - 1; i >= 0; i--) {
            if (lives.ofEvent[i] != DeviceHistory.NONE) {
                out[lives.ofEvent[i]] = pools[i];
            }
        }
        return out;
    }

    // ---------------------------------------------------------------- rows

    private void follow(int i) {
        nowNs = rows.timeNs(i);
        if (rows.isLoss(i)) {
            losses++;
            mark("lost " + rows.bytes(i) + " events", true);
            appear();
            return;
        }
        long address = rows.address(i);
        long bytes = rows.bytes(i);
        int pool = rows.pool(i);
        switch (rows.kind(i)) {
            case ALLOC ->
                born(new Live(
                        address, address + AgentMemory.rounded(bytes), bytes, stream(rows.stream(i)), pool, losses));
            case FREE -> freed(i);
            case FREE_COMPLETED -> completed(i);
            case GROW -> map(address, bytes, pool);
            case RELEASE -> unmap(address, bytes, pool);
            case REMAP -> {
                if (rows.source(i) == AgentRows.UNTOLD) {
                    unreportedMoves += bytes;
                } else {
                    unmap(rows.source(i), bytes, pool);
                }
                map(address, bytes, pool);
            }
            case OOM -> {
                long free =
                        reported.totalBytes() == 0 ? 0 : Math.max(0, reported.totalBytes() - segments.reservedBytes());
                event(EventKind.OOM, free, bytes, stream(rows.stream(i)), pool);
            }
            case PHASE -> {
                if (bytes >= 0 && bytes < 2L * PHASES.length) {
                    mark(PHASES[(int) (bytes / 2)].label(), bytes % 2 == 1);
                }
            }
            case OPTIMISATION -> mark(bytes == 1 ? "optimisation on" : "optimisation off", true);
            case LIMIT -> mark(limit(bytes), true);
            case RETRY -> mark("retry", true);
            default -> {} // changes nothing that a history shows
        }
    }

    private String limit(long bytes) {
        return reported.totalBytes() > 0
                ? String.format(Locale.ROOT, "fraction %.4g", (double) bytes / reported.totalBytes())
                : "limit " + bytes;
    }

    /** Everything that the events behind a loss prove to have come into being in it. */
    private void appear() {
        for (Segment segment : evidence.memory(losses).segments()) {
            map(segment.address(), segment.totalBytes(), poolOf(segment));
        }
        for (Untold block : evidence.blocks(losses)) {
            long end = block.address() + AgentMemory.rounded(block.requested());
            Live now = new Live(block.address(), end, block.requested(), stream(block.stream()), block.pool(), losses);
            born(now);
            if (block.pending()) {
                event(EventKind.FREE, now.address(), now.requested(), now.stream(), now.pool());
            }
        }
    }

    private static int poolOf(Segment segment) {
        PoolName small = segment.expandable() ? PoolName.SHORT_SMALL : PoolName.STOCK_SMALL;
        return small.ordinal() + (segment.large() ? 1 : 0);
    }

    // ---------------------------------------------------------------- blocks

    private void born(Live block) {
        live.end(block.address(), block.end()).forEach(this::endUnseen);
        event(EventKind.ALLOC, block.address(), block.requested(), block.stream(), block.pool());
        live.born(block.address(), block);
    }

    /** Its end was lost, or the agent contradicts itself. */
    private void endUnseen(Live block) {
        contradictions += block.losses() == losses ? 1 : 0;
        end(block.address(), block.requested(), block.stream(), block.pool(), false);
    }

    private void freed(int i) {
        if (live.freed(rows.address(i)).isEmpty() && losses > 0) {
            contradictions++;
            return;
        }
        end(rows.address(i), rows.bytes(i), stream(rows.stream(i)), rows.pool(i), evidence.pending(i));
    }

    private void end(long address, long requested, long stream, int pool, boolean pending) {
        if (evidence.tellsCompletions()) {
            event(EventKind.FREE, address, requested, stream, pool);
        }
        if (!pending) {
            event(EventKind.FREE_COMPLETED, address, requested, stream, pool);
        }
    }

    private void completed(int i) {
        exactBytes.put(events.size(), rows.bytes(i));
        event(EventKind.FREE_COMPLETED, rows.address(i), rows.bytes(i), stream(rows.stream(i)), rows.pool(i));
    }

    // ---------------------------------------------------------------- memory

    private void map(long address, long bytes, int pool) {
        unmap(address, bytes, pool);
        boolean stock = AgentMemory.stock(pool);
        segment(stock ? EventKind.GROW : EventKind.SEGMENT_MAP, address, bytes, pool);
    }

    /** Takes away whatever is mapped there, a piece at a time. */
    private void unmap(long address, long bytes, int pool) {
        for (Optional<Segment> hit = segments.touching(address, bytes);
                hit.isPresent();
                hit = segments.touching(address, bytes)) {
            Segment held = hit.get();
            if (held.address() == address && held.totalBytes() == bytes && !held.expandable()) {
                segment(EventKind.RELEASE, address, bytes, pool);
            } else {
                long from = Long.compareUnsigned(held.address(), address) > 0 ? held.address() : address;
                long to = Long.compareUnsigned(held.end(), address + bytes) < 0 ? held.end() : address + bytes;
                segment(EventKind.SEGMENT_UNMAP, from, to - from, pool);
            }
        }
    }

    private void segment(EventKind action, long address, long bytes, int pool) {
        Segment piece = SegmentSet.piece(action, address, bytes, 0, PoolId.DEFAULT, 0);
        Segment sized =
                PoolName.ofCode(pool).map(name -> piece.ofSize(name.large())).orElse(piece);
        if (segments.apply(action, sized)) {
            event(action, address, bytes, 0, pool);
        } else {
            contradictions++;
        }
    }

    // ---------------------------------------------------------------- writing

    private void event(EventKind action, long address, long bytes, long stream, int pool) {
        if (events.size() == pools.length) {
            pools = Arrays.copyOf(pools, pools.length * 2);
        }
        pools[events.size()] = (byte) pool;
        events.add(action, address, bytes, stream, nowNs);
    }

    private void mark(String name, boolean begins) {
        marks.add(new HistoryAnnotation(reported.device(), events.size(), nowNs, name, begins));
    }

    private static long stream(int handle) {
        return Integer.toUnsignedLong(handle);
    }

    private List<RecordingNotice> notices(DeviceHistory history, HeldBefore before) {
        List<RecordingNotice> out = new ArrayList<>();
        int guessed = 0;
        for (int k = 0; k <= losses; k++) {
            guessed += evidence.memory(k).guessed();
        }
        long unproven = live.all().stream()
                .filter(block -> block.losses() < losses)
                .mapToLong(Live::bytes)
                .sum();
        notice(out, RecordingNotice.Kind.LOST_EVENTS, reported.lostEvents());
        sized(out, RecordingNotice.Kind.UNPROVEN, unproven);
        sized(out, RecordingNotice.Kind.HELD_BEFORE, before.allocatedBytes());
        notice(out, RecordingNotice.Kind.SEGMENTS_GUESSED, guessed);
        sized(out, RecordingNotice.Kind.MOVED_UNTOLD, unreportedMoves);
        notice(out, RecordingNotice.Kind.ODD_VALUES, reported.oddEvents());
        notice(out, RecordingNotice.Kind.CONTRADICTIONS, contradictions);
        sized(out, RecordingNotice.Kind.COUNTED_OTHERWISE, differenceAtTheEnd(history));
        return out;
    }

    private void sized(List<RecordingNotice> out, RecordingNotice.Kind kind, long bytes) {
        if (bytes > 0) {
            out.add(new RecordingNotice(kind, reported.device(), ByteSize.format(bytes)));
        }
    }

    private void notice(List<RecordingNotice> out, RecordingNotice.Kind kind, long count) {
        if (count > 0) {
            out.add(new RecordingNotice(kind, reported.device(), Long.toString(count)));
        }
    }

    /** How far the bytes allocated at the end are from what the agent counted then; 0 where it did not say. */
    private long differenceAtTheEnd(DeviceHistory history) {
        int last = countedAt.length - 1;
        return last < 0 || countedAt[last] < history.size()
                ? 0
                : Math.abs(reported.counted().get(last).allocated()
                        - history.figures().allocatedBytes());
    }
}
