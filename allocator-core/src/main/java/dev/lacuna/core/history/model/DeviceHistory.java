package dev.lacuna.core.history.model;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One device: its events in order, and each life of a block. <em>Moment k</em> is the state after the first k events, 0 …
 * {@link #size}. Immutable, in columns: some forty bytes an event.
 *
 * <p>Allocations have dense numbers: first the blocks that were alive before the first event, by address, then those that
 * events handed out, in order. At moment k, allocation a is in the trainer's hands when {@code bornAt(a) < k ≤ freedAt(a)},
 * and its memory is taken when {@code bornAt(a) < k ≤ diedAt(a)}: between the two it is pending.
 */
public final class DeviceHistory {
    /** No stack, no allocation; as an event, before the recording. */
    public static final int NONE = -1;

    /** What {@link #device} says of memory of the host that the allocator pinned. */
    public static final int HOST = -1;

    private final int device;
    private final SnapshotEvents events;
    private final CallStacks stacks;
    private final Lives lives;
    private final SegmentState opening;
    private final SegmentState closing;
    private final boolean addressed;
    private final DeviceFigures figures;
    private final boolean timed;
    private final EventPools pools;

    public DeviceHistory(
            int device,
            SnapshotEvents events,
            CallStacks stacks,
            Lives lives,
            SegmentState opening,
            SegmentState closing,
            boolean addressed) {
        this(device, events, stacks, lives, opening, closing, addressed, EventPools.NONE, Optional.empty());
    }

    /** The same where the file itself says what the device holds at the end. */
    public DeviceHistory(
            int device,
            SnapshotEvents events,
            CallStacks stacks,
            Lives lives,
            SegmentState opening,
            SegmentState closing,
            boolean addressed,
            EventPools pools,
            Optional<DeviceFigures> figures) {
        this.device = device;
        this.events = events;
        this.stacks = stacks;
        this.lives = lives;
        this.opening = opening;
        this.closing = closing;
        this.addressed = addressed;
        this.pools = pools;
        this.figures = figures.orElseGet(() -> FigureSums.of(this));
        this.timed = events.size() > 0 && IntStream.range(0, events.size()).allMatch(events::timed);
    }

    /** Number of the device; HOST for pinned memory of the host. */
    public int device() {
        return device;
    }

    /** Number of events. */
    public int size() {
        return events.size();
    }

    /** Whether nothing is known of the device. */
    public boolean isEmpty() {
        return size() == 0 && allocations() == 0 && closing.size() == 0;
    }

    /** What event i tells. */
    public EventKind action(int i) {
        return events.action(i);
    }

    /** Unsigned address of the block or segment; of an {@link EventKind#OOM}, the bytes that the device had free. */
    public long address(int i) {
        return events.address(i);
    }

    /** Bytes: as requested for allocations, frees and OOMs, real for segments. */
    public long bytes(int i) {
        return events.bytes(i);
    }

    /** Stream: a handle, 0 for the default one. */
    public long stream(int i) {
        return events.stream(i);
    }

    /** The pair of pools that the event concerns; the default one in files that do not say. */
    public PoolId pool(int i) {
        return events.pool(i);
    }

    /** The agent's pool that the event names; empty where something else recorded it, or it concerns none. */
    public Optional<PoolName> agentPool(int i) {
        return pools.ofEvent(i);
    }

    /** Whether events tell their times. */
    public boolean timed() {
        return timed;
    }

    /** Nanoseconds of the recorder's clock; 0 where it is not {@link #timed}. */
    public long timeNs(int i) {
        return events.timeNs(i);
    }

    /** Number of the call stack; NONE where there is none. */
    public int stack(int i) {
        return known(events.stack(i));
    }

    /** What the program noted beside event i; empty when nothing. */
    public String note(int i) {
        return events.note(i);
    }

    /** The allocation that event i hands out or gives back; NONE where it is about none. */
    public int allocation(int i) {
        return lives.ofEvent[i];
    }

    // ---------------------------------------------------------------- lives

    /** Number of allocations. */
    public int allocations() {
        return lives.born.length;
    }

    /** Number of allocations that were alive before the first event: they have the lowest numbers. */
    public int openingAllocations() {
        return lives.opening.length;
    }

    /** Unsigned address. */
    public long addressOf(int a) {
        return atOpening(a) ? lives.opening[a].address() : address(lives.born[a]);
    }

    /** Size of its block, rounding included. */
    public long bytesOf(int a) {
        return lives.bytes[a];
    }

    /** Bytes that were asked for. */
    public long requestedOf(int a) {
        return atOpening(a) ? lives.opening[a].requested() : bytes(lives.born[a]);
    }

    /** Stream that it was allocated on: a handle, 0 for the default one. */
    public long streamOf(int a) {
        return atOpening(a) ? lives.opening[a].stream() : stream(lives.born[a]);
    }

    /** Number of the call stack that asked for it; NONE where not known. */
    public int stackOf(int a) {
        return atOpening(a) ? known(lives.opening[a].stack()) : stack(lives.born[a]);
    }

    /** The agent's pool in whose books it stood; empty where something else recorded it, or nobody told. */
    public Optional<PoolName> agentPoolOf(int a) {
        return pools.ofAllocation(a);
    }

    /** The event that handed it out; NONE = before the recording. */
    public int bornAt(int a) {
        return lives.born[a];
    }

    /** The event by which the trainer gave it back; {@link #size} = never, NONE = before the recording. */
    public int freedAt(int a) {
        return lives.freed[a];
    }

    /** The event by which its memory became free; {@link #size} = never. */
    public int diedAt(int a) {
        return lives.died[a];
    }

    // ---------------------------------------------------------------- segments, stacks

    /** The segments at moment 0, worked out backwards from the last ones. */
    public SegmentState opening() {
        return opening;
    }

    /** The segments at moment {@link #size}. */
    public SegmentState closing() {
        return closing;
    }

    /**
     * What the device holds at the end. Where the file says it, as it says it: of a file that ends within a trace, that is
     * later than the last event.
     */
    public DeviceFigures figures() {
        return figures;
    }

    /** The call stacks that events and allocations name by number. */
    public CallStacks stacks() {
        return stacks;
    }

    /**
     * Whether addresses were recorded. Where not, blocks and segments come from a replay under PyTorch's stock rules, and
     * whoever shows them says so.
     */
    public boolean addressed() {
        return addressed;
    }

    /** Whether Lacuna's agent recorded it: its expandable segments give back every whole free chunk of 2 MiB. */
    public boolean chunked() {
        return !pools.isEmpty();
    }

    public EventPools pools() {
        return pools;
    }

    public SnapshotEvents events() {
        return events;
    }

    private boolean atOpening(int a) {
        return lives.born[a] == NONE;
    }

    private static int known(int stack) {
        return stack == CallStacks.EMPTY ? NONE : stack;
    }
}
