package dev.lacuna.core.allocator.planned;

import dev.lacuna.core.allocator.block.RequestSize;
import dev.lacuna.core.allocator.model.AllocationStats;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Flushes;
import dev.lacuna.core.allocator.model.OutOfMemoryMessage;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Peaks;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.allocator.model.Separation;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.Plan;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Hands out the places of a {@link Plan} that was made with every lifetime known: what an allocator could reach at best, not what one
 * can do in training. One range from 0, reported as the pool {@code large}; reserved is its high-water mark in slots of 2 MiB, the last one cut
 * where the cap cuts it.
 *
 * <p>A plan knows lifetimes from request to free, so blocks never wait for other streams.
 */
public final class PlannedAllocator implements Allocator {
    /** The policy's name. */
    public static final String NAME = "planned";

    /** The one range that the plan fills. */
    private static final Pool PLAN = new Pool(0, "plan");

    private final Device device;
    private final Plan plan;
    private final long[] requested;
    private final BitSet live = new BitSet();
    private final AllocationStats books;

    /** An allocator on a device of its own that follows this plan, whose sizes are {@linkplain #rounded rounded}. */
    public PlannedAllocator(Device device, Plan plan) {
        this.device = device;
        this.books = new AllocationStats(device, List.of(PLAN));
        this.plan = plan;
        requested = new long[plan.blocks().count()];
    }

    /** The lifetimes with sizes as blocks have them; what no device can hold gets no room, since its request fails. */
    static Lifetimes rounded(Lifetimes asked) {
        Lifetimes.Builder blocks = Lifetimes.builder();
        for (int i = 0; i < asked.count(); i++) {
            long size = holdable(asked.size(i)) ? RequestSize.rounded(asked.size(i)) : 0;
            blocks.add(asked.lower(i), asked.upper(i), size);
        }
        return blocks.build();
    }

    private static boolean holdable(long bytes) {
        return bytes <= Device.DEFAULT_RANGE_BYTES;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** @throws IllegalStateException when the block is live, or was not foreseen in this size */
    @Override
    public Outcome allocate(int id, long bytes, int stream) {
        if (live.get(id)) {
            throw new IllegalStateException("block " + id + " is live already");
        }
        if (bytes == 0) {
            return Outcome.EMPTY;
        }
        if (!holdable(bytes)) {
            return books.failed(bytes);
        }
        if (id >= requested.length || plan.blocks().size(id) < bytes) {
            throw new IllegalStateException("block " + id + " of " + bytes + " bytes was not foreseen");
        }
        long missing = missing(end(id));
        if (missing > 0 && !device.allows(missing)) {
            return books.failed(bytes);
        }
        device.take(missing);
        live.set(id);
        requested[id] = bytes;
        books.handedOut(PLAN.number(), plan.blocks().size(id), bytes, 1);
        return Outcome.PLACED;
    }

    @Override
    public boolean free(int id) {
        if (!live.get(id)) {
            return false;
        }
        live.clear(id);
        books.takenBack(PLAN.number(), plan.blocks().size(id), requested[id]);
        if (device.overLimit()) {
            releaseAbove(device.limitBytes());
        }
        return true;
    }

    /** Changes nothing: the plan's lifetimes are those of the blocks. */
    @Override
    public void recordStream(int id, int stream) {}

    /** Changes nothing: no block is ever pending. */
    @Override
    public void streamDone(int stream) {}

    @Override
    public void phase(Phase phase, boolean begin) {
        books.phase(phase, begin, 0);
    }

    @Override
    public void emptyCache() {
        releaseAbove(0);
    }

    @Override
    public long limit(long bytes) {
        device.limit(bytes);
        return reachLimit();
    }

    @Override
    public long fraction(double fraction) {
        device.fraction(fraction);
        return reachLimit();
    }

    @Override
    public void setOutsideBytes(long bytes) {
        device.setOutsideBytes(bytes);
    }

    @Override
    public Optional<Placement> placement(int id) {
        if (!live.get(id)) {
            return Optional.empty();
        }
        long size = plan.blocks().size(id);
        boolean split = size < device.reservedBytes();
        return Optional.of(new Placement(PLAN, 0, plan.offset(id), size, split));
    }

    @Override
    public MemoryCounters counters() {
        long reserved = device.reservedBytes();
        long releasable = Math.max(0, reserved - slots(highestLive()));
        return books.counters(Separation.NONE, releasable, pool -> reserved, reserved > 0 ? 1 : 0);
    }

    @Override
    public long reservedBytes() {
        return device.reservedBytes();
    }

    @Override
    public long allocatedBytes() {
        return books.allocatedBytes();
    }

    @Override
    public Flushes flushes() {
        return books.flushes();
    }

    @Override
    public Peaks peaks() {
        return books.peaks();
    }

    /** The free pieces below the end of the last slot that a live block touches. */
    @Override
    public long splitBlocks() {
        long[] byOffset = live.stream()
                .boxed()
                .sorted(Comparator.comparingLong(plan::offset))
                .mapToLong(id -> id)
                .toArray();
        long end = 0;
        long pieces = 0;
        for (long id : byOffset) {
            pieces += plan.offset((int) id) > end ? 1 : 0;
            end = end((int) id);
        }
        return pieces + (slots(end) > end ? 1 : 0);
    }

    @Override
    public String outOfMemoryMessage() {
        return books.ooms() == 0 ? "" : OutOfMemoryMessage.ofAgent(books.failedBytes(), counters());
    }

    /** What is to be reserved: whole slots, but where the cap cuts the last slot no more than the block needs. */
    private long missing(long end) {
        long whole = Math.max(0, slots(end) - device.reservedBytes());
        return device.allows(whole) ? whole : Math.max(0, end - device.reservedBytes());
    }

    private long reachLimit() {
        releaseAbove(device.limitBytes());
        return Math.max(0, device.reservedBytes() - device.limitBytes());
    }

    /** Gives back whole slots above the highest live block until no more than {@code goal} bytes are reserved. */
    private void releaseAbove(long goal) {
        long keep = Math.max(slots(highestLive()), goal / Device.SLOT_BYTES * Device.SLOT_BYTES);
        device.giveBack(Math.max(0, device.reservedBytes() - keep));
    }

    private long highestLive() {
        return live.stream().mapToLong(this::end).max().orElse(0);
    }

    private long end(int id) {
        return plan.offset(id) + plan.blocks().size(id);
    }

    private static long slots(long bytes) {
        return (bytes + Device.SLOT_BYTES - 1) / Device.SLOT_BYTES * Device.SLOT_BYTES;
    }
}
