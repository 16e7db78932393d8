package dev.lacuna.core.history.mirror;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.counters.PoolUsage;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.core.history.model.AgentMemory;
import dev.lacuna.core.history.model.LiveSpans;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The blocks of one device of a running process, kept up from its events in bounded room. Events tell where a block lies and how much
 * was asked for; what was there before the first event that is left is told by an agent that is asked to, or found from the blocks in
 * it, and stays <em>unseen</em> until something happens there. When events are lost everything begins anew, because a mirror that missed a
 * free would show what is not there. Not safe for several threads.
 */
public final class BlockMirror {
    /** More blocks than this are not mirrored: everything begins anew. */
    public static final int MOST_BLOCKS = 300_000;

    private static final EventKind[] KINDS = EventKind.values();

    private final int device;
    private final LiveSpans<LiveBlock> blocks;
    private final MappedMemory mapped;
    /** Of which something is known: handed out, given back or newly mapped while somebody looked. */
    private final Intervals seen;

    private long nextSequence;
    private long lostEvents;
    private int restarts;
    private boolean partial;
    /** What was there before was told, all of it or as much as the ring takes. */
    private boolean told;

    private long timeNs;
    private long reservedBytes;
    private long allocatedBytes;

    /** @param device its number among the process's devices */
    public BlockMirror(int device) {
        this.device = device;
        blocks = new LiveSpans<>();
        mapped = new MappedMemory();
        seen = new Intervals();
    }

    /** The same knowledge, apart from it: what one learns from now on the other does not know. */
    BlockMirror(BlockMirror same) {
        device = same.device;
        blocks = new LiveSpans<>(same.blocks);
        mapped = new MappedMemory(same.mapped);
        seen = new Intervals(same.seen);
        nextSequence = same.nextSequence;
        lostEvents = same.lostEvents;
        restarts = same.restarts;
        partial = same.partial;
        told = same.told;
        timeNs = same.timeNs;
        reservedBytes = same.reservedBytes;
        allocatedBytes = same.allocatedBytes;
    }

    /**
     * Takes in what a reader saw of the process; all of it, in order.
     *
     * @param atNs when it looked, on the clock of the events
     * @param lost events that were overwritten before it came, since it attached
     * @param events since it looked before
     * @param counters one a device, at {@code atNs}
     */
    public void add(long atNs, long lost, MemoryEvents events, List<MemoryCounters> counters) {
        follow(atNs, lost, events, Long.MAX_VALUE);
        counters.stream().filter(c -> c.device() == device).findFirst().ifPresent(this::take);
    }

    /** Takes in those events that happened up to a moment. */
    void follow(long atNs, long lost, MemoryEvents events, long untilNs) {
        timeNs = Math.min(atNs, untilNs);
        if (lost > lostEvents) {
            lostEvents = lost;
            restart();
        }
        if (events.size() > 0 && events.firstSequence() > 0 && nextSequence == 0) {
            partial = true;
        }
        for (int i = 0; i < events.size() && events.timeNs(i) <= untilNs; i++) {
            if (events.device(i) == device) {
                add(events, i);
            }
            nextSequence = events.sequence(i) + 1;
        }
    }

    /** Takes over what the counters told, bytes of the device. */
    void believe(long allocated, long reserved) {
        allocatedBytes = allocated;
        reservedBytes = reserved;
    }

    /** Nothing happened up to this moment. */
    void lookAt(long momentNs) {
        timeNs = momentNs;
    }

    long timeNs() {
        return timeNs;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    /** Entries that a copy of it takes. */
    int size() {
        return blocks.size() + mapped.regions().size() + seen.size();
    }

    /** What is known now. */
    public LiveBlocks picture() {
        LiveBlocks.Pieces pieces = new LiveBlocks.Pieces(
                2 * blocks.size() + 2 * seen.size() + 2 * mapped.regions().size());
        List<LiveBlocks.Segment> segments = new ArrayList<>();
        for (Map.Entry<Long, MappedMemory.Region> entry : mapped.regions().entrySet()) {
            int first = pieces.size();
            tile(pieces, entry.getKey(), entry.getValue().end());
            segments.add(new LiveBlocks.Segment(
                    PoolName.ofCode(entry.getValue().pool()),
                    entry.getKey(),
                    entry.getValue().end() - entry.getKey(),
                    first,
                    pieces.size()));
        }
        return new LiveBlocks(timeNs, segments, pieces, coverage());
    }

    private LiveBlocks.Coverage coverage() {
        boolean isPartial = partial && !(told && mapped.bytes() >= reservedBytes);
        return new LiveBlocks.Coverage(
                isPartial,
                restarts,
                lostEvents,
                blocks.size(),
                blocks.bytes(),
                Math.max(0, isPartial ? allocatedBytes - blocks.bytes() : 0),
                Math.max(0, mapped.bytes() - reservedBytes));
    }

    private void tile(LiveBlocks.Pieces out, long from, long to) {
        long[] at = {from};
        blocks.forEach(from, to, (address, block) -> {
            fill(out, at[0], address);
            long end = Math.min(to, address + block.bytes());
            out.add(address, end - address, LiveBlocks.Kind.BLOCK, block);
            at[0] = end;
        });
        fill(out, at[0], to);
    }

    private void fill(LiveBlocks.Pieces out, long from, long to) {
        long at = from;
        while (at < to) {
            long known = Math.min(to, seen.endAt(at));
            if (known > at) {
                out.add(at, known - at, LiveBlocks.Kind.HOLE, LiveBlock.NONE);
                at = known;
            }
            long unseen = at < to ? seen.nextFrom(at, to) : to;
            if (unseen > at) {
                out.add(at, unseen - at, LiveBlocks.Kind.UNSEEN, LiveBlock.NONE);
                at = unseen;
            }
        }
    }

    private void add(MemoryEvents events, int i) {
        long address = events.address(i);
        long size = events.sizeOf(i);
        switch (KINDS[events.kindCode(i) - 1]) {
            case ALLOC -> born(address, new LiveBlock(size, events.timeNs(i), events.poolCode(i)));
            case FREE -> freed(address, AgentMemory.rounded(size), events.poolCode(i));
            case FREE_COMPLETED -> freed(address, size, events.poolCode(i));
            case HELD -> born(address, new LiveBlock(size, LiveBlock.BEFORE, events.poolCode(i)));
            case GROW, REMAP -> arrived(address, size, events.poolCode(i));
            case MAPPED -> {
                arrived(address, size, events.poolCode(i));
                told = true;
            }
            case RELEASE -> {
                blocks.end(address, address + size);
                mapped.unmap(address, size);
                seen.remove(address, address + size);
            }
            default -> {} // nothing that moves memory
        }
    }

    private void arrived(long address, long size, int pool) {
        blocks.end(address, address + size);
        mapped.map(address, size, pool);
        seen.add(address, address + size);
    }

    private void born(long address, LiveBlock block) {
        long end = address + block.bytes();
        blocks.end(address, end);
        if (blocks.size() >= MOST_BLOCKS) {
            restart();
        }
        mapped.infer(address, block.bytes(), block.pool());
        seen.add(address, end);
        blocks.born(address, block);
    }

    private void freed(long address, long bytes, int pool) {
        blocks.freed(address);
        mapped.infer(address, bytes, pool);
        seen.add(address, address + bytes);
    }

    private void take(MemoryCounters counters) {
        allocatedBytes = counters.allocatedBytes();
        reservedBytes =
                counters.pools().stream().mapToLong(PoolUsage::reservedBytes).sum();
    }

    private void restart() {
        blocks.clear();
        mapped.clear();
        seen.clear();
        partial = true;
        told = false;
        restarts++;
    }
}
