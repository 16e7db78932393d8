package dev.lacuna.core.pool;

import static dev.lacuna.core.pool.BlockTable.NONE;

import dev.lacuna.core.lifetime.Lifetime;
import dev.lacuna.core.lifetime.OpenPhases;
import dev.lacuna.core.lifetime.mindspeed.LifetimeRecorders;
import dev.lacuna.core.memory.Backend;
import dev.lacuna.core.memory.GapParts;
import dev.lacuna.core.memory.MemoryCounters;
import dev.lacuna.core.memory.Phase;
import dev.lacuna.core.memory.PoolName;
import dev.lacuna.core.memory.PoolUsage;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * MindSpeed's two-lifetime pools: tensors that survived the last forward pass or step get segments of their own size, apart
 * from the short-lived ones, and the border between the two falls bit by bit as memory runs out. Published as
 * {@code mindspeed/ops/csrc/pluggable_allocator/memory_fragmentation} in Ascend/MindSpeed, releases 1.0.RC1 to 2.0.0, with its
 * default options. The rules stand in {@code docs/lifetime-pools.md}.
 *
 * <p>It keeps its own books rather than {@link ModelAllocator}'s: here a request of no bytes gets a block, every mark of a
 * phase counts, and a lowered cap releases nothing.
 */
public final class LifetimePoolAllocator implements Allocator {
    /** The policy's name. */
    public static final String NAME = "lifetime";

    /** Requests beyond this fail like this one would: rounded up to whole segments they still fit a long. */
    private static final long LARGEST_BYTES = Long.MAX_VALUE - Device.SLOT_BYTES + 1;

    private final Device device;
    private final BlockTable blocks = new BlockTable();
    private final SegmentSupply supply;
    private final LifetimePools pools;
    private final PressureLevels levels;
    private final LifetimeRecorders recorders = new LifetimeRecorders();
    private final StreamUses streams = new StreamUses();
    private final OpenPhases phases = new OpenPhases();
    private final StepMeter step = new StepMeter();
    private final long[] allocatedByPool = new long[PoolName.values().length];
    private int[] rowsById = new int[256];

    private long requestedBytes;
    private long allocatedBytes;
    private long pendingBytes;
    private long allocations;
    private long frees;
    private long ooms;
    private long peakRequested;
    private long peakAllocated;
    private long peakReserved;
    private long peakSegments;

    /** An allocator on a device of its own. */
    public LifetimePoolAllocator(Device device) {
        this.device = device;
        this.supply = new SegmentSupply(device);
        this.pools = new LifetimePools(blocks, device, supply);
        this.levels = new PressureLevels(pools, blocks, this::waitForStreams);
    }

    @Override
    public String name() {
        return NAME;
    }

    // ---------------------------------------------------------------- requests

    @Override
    public Outcome allocate(int id, long bytes, int stream) {
        if (row(id) != NONE) {
            throw new IllegalStateException("block " + id + " is live already");
        }
        completePending();
        long rounded = rounded(bytes);
        Lifetime lifetime = recorders.decide(bytes, rounded);
        int block = levels.place(rounded, stream, lifetime, recorders.inForward());
        if (block == NONE) {
            ooms++;
            return Outcome.OUT_OF_MEMORY;
        }
        recorders.born(block, bytes, rounded);
        blocks.handOut(block, bytes, stream);
        name(id, block);
        account(block, bytes);
        return Outcome.PLACED;
    }

    @Override
    public boolean free(int id) {
        int block = row(id);
        if (block == NONE) {
            return false;
        }
        rowsById[id] = NONE;
        frees++;
        recorders.freed(block);
        requestedBytes -= blocks.requested(block);
        allocatedBytes -= blocks.size(block);
        allocatedByPool[blocks.pool(block)] -= blocks.size(block);
        if (streams.free(block)) {
            blocks.markPending(block);
            pendingBytes += blocks.size(block);
        } else {
            pools.release(block);
        }
        return true;
    }

    @Override
    public void recordStream(int id, int stream) {
        int block = row(id);
        if (block != NONE && stream != blocks.user(block)) {
            streams.record(block, stream);
        }
    }

    @Override
    public void streamDone(int stream) {
        streams.done(stream);
    }

    @Override
    public void phase(Phase phase, boolean begin) {
        recorders.phase(phase, begin);
        boolean outermost = begin ? phases.begin(phase) : phases.end(phase);
        if (outermost && phase == Phase.STEP) {
            if (begin) {
                step.began(allocatedBytes, device.reservedBytes(), 0);
            } else {
                step.ended(0);
            }
        }
    }

    @Override
    public void emptyCache() {
        waitForStreams();
        pools.releaseCached();
    }

    @Override
    public long limit(long bytes) {
        device.limit(bytes);
        return capped();
    }

    @Override
    public long fraction(double fraction) {
        device.fraction(fraction);
        return capped();
    }

    @Override
    public void other(long bytes) {
        device.other(bytes);
    }

    // ---------------------------------------------------------------- answers

    @Override
    public Optional<Placement> placement(int id) {
        int block = row(id);
        if (block == NONE) {
            return Optional.empty();
        }
        return Optional.of(new Placement(
                PoolName.ofCode(blocks.pool(block)).orElseThrow(),
                blocks.segment(block),
                pools.offsetInSegment(block),
                blocks.size(block),
                blocks.hasNeighbour(block)));
    }

    @Override
    public MemoryCounters counters() {
        long releasable = pools.releasableBytes();
        long split = device.reservedBytes() - allocatedBytes - pendingBytes - releasable;
        return new MemoryCounters(
                0,
                0,
                Backend.VIRTUAL,
                device.totalBytes(),
                device.reservedBytes(),
                allocatedBytes,
                requestedBytes,
                allocatedBytes + pendingBytes,
                device.limitBytes(),
                device.fraction(),
                true,
                phases.open(),
                step.count(),
                new GapParts(releasable, split, pendingBytes),
                device.otherBytes(),
                usage(),
                peakAllocated,
                peakReserved,
                step.lastPeakAllocated(),
                step.lastPeakReserved(),
                allocations,
                frees,
                ooms,
                levels.retries(),
                0,
                0,
                pools.segments(),
                OptionalLong.empty(),
                step.lastPeakAllocated().orElse(allocatedBytes));
    }

    @Override
    public long reservedBytes() {
        return device.reservedBytes();
    }

    @Override
    public long allocatedBytes() {
        return allocatedBytes;
    }

    @Override
    public Peaks peaks() {
        return new Peaks(peakRequested, peakAllocated, peakReserved, peakSegments);
    }

    @Override
    public long splitBlocks() {
        return pools.splitBlocks();
    }

    @Override
    public String outOfMemoryMessage() {
        return ooms == 0 ? "" : OutOfMemoryMessage.ofNpu(levels.refusedBytes(), counters(), supply.isCapped());
    }

    /** MindSpeed names the pools of short lives after the lifetime that it assumes by default. */
    @Override
    public String poolLabel(PoolName pool) {
        return switch (pool) {
            case SHORT_SMALL -> "default.small";
            case SHORT_LARGE -> "default.large";
            default -> pool.label();
        };
    }

    // ---------------------------------------------------------------- details

    /** round_size: whole units of 512 bytes, at least one. */
    private static long rounded(long bytes) {
        return Math.max(RequestSize.UNIT_BYTES, RequestSize.rounded(Math.min(bytes, LARGEST_BYTES)));
    }

    /** A cap binds what is reserved from now on; what is reserved already stays. */
    private long capped() {
        supply.capped();
        return Math.max(0, device.reservedBytes() - device.limitBytes());
    }

    private void completePending() {
        for (int block : streams.completed()) {
            pendingBytes -= blocks.size(block);
            pools.release(block);
        }
    }

    private void waitForStreams() {
        streams.allDone();
        completePending();
    }

    private void account(int block, long bytes) {
        long size = blocks.size(block);
        allocations++;
        requestedBytes += bytes;
        allocatedBytes += size;
        allocatedByPool[blocks.pool(block)] += size;
        peakRequested = Math.max(peakRequested, requestedBytes);
        peakAllocated = Math.max(peakAllocated, allocatedBytes);
        peakReserved = Math.max(peakReserved, device.reservedBytes());
        peakSegments = Math.max(peakSegments, pools.segments());
        step.saw(allocatedBytes, device.reservedBytes());
    }

    private List<PoolUsage> usage() {
        return Arrays.stream(PoolName.values())
                .map(pool -> new PoolUsage(pool, pools.reservedBytes(pool), allocatedByPool[pool.ordinal()]))
                .toList();
    }

    private int row(int id) {
        return id < rowsById.length ? rowsById[id] : NONE;
    }

    private void name(int id, int block) {
        if (id >= rowsById.length) {
            rowsById = Arrays.copyOf(rowsById, Math.max(id + 1, rowsById.length * 2));
        }
        rowsById[id] = block;
    }
}
