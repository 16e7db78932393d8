package dev.lacuna.core.snapshot;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Takes down what a snapshot has millions of as soon as it is whole: dictionaries that are frames or trace entries, and lists
 * of frames. What they were is forgotten, in the memo too, so that reading needs memory for the columns and little else.
 */
final class Settling {
    private static final int MOST_POOLS = 4096;

    private final Budget budget;
    private final PickleStack stack;
    private final CallStacks.Builder stacks;
    private final EventColumns events = new EventColumns();
    private final Map<PoolId, PickleList> pools = new HashMap<>();
    private int remarks = 1;

    Settling(Budget budget, PickleStack stack) {
        this.budget = budget;
        this.stack = stack;
        this.stacks = new CallStacks.Builder(budget);
    }

    CallStacks.Builder stacks() {
        return stacks;
    }

    EventColumns events() {
        return events;
    }

    /** What an item of a list has become: a {@link FrameRef}, a {@link RowRange}, or what it was. */
    Object settled(PickleDict dict) throws SnapshotFormatException {
        if (dict.settled().isPresent()) {
            return dict.settled().get();
        }
        if (!dict.isShort()) {
            return dict;
        }
        if (dict.get("action").isPresent()) {
            int row = row(new Fields(dict));
            return become(dict, new RowRange(row, row + 1));
        }
        if (dict.get("filename").isPresent()
                && (dict.get("name").isPresent() || dict.get("line").isPresent())) {
            return become(dict, stacks.frame(new Fields(dict)));
        }
        return dict;
    }

    /** What a list of frames has become that one command filled; empty where not all of these are frames. */
    Optional<StackRef> stackOf(Object[] values, int from, int to) throws SnapshotFormatException {
        for (int i = from; i < to; i++) {
            if (!(values[i] instanceof FrameRef)) {
                return Optional.empty();
            }
        }
        return Optional.of(stacks.stack(values, from, to, stack.position()));
    }

    /** Puts a list's successor in its place in the memo. */
    void become(PickleList list, StackRef settled) {
        stack.settle(list, settled);
        budget.release(Budget.OBJECT_BYTES);
    }

    private Object become(PickleDict dict, Object settled) {
        budget.release(Budget.OBJECT_BYTES + 2L * dict.size() * Budget.ITEM_BYTES);
        stack.settle(dict, settled);
        dict.settle(settled);
        return settled;
    }

    // ---------------------------------------------------------------- trace entries

    private int row(Fields entry) throws SnapshotFormatException {
        TraceAction action = TraceAction.of(entry.text("action"));
        long address = action == TraceAction.OOM && entry.has("device_free")
                ? entry.bytes("device_free")
                : entry.wordOr("addr", 0);
        long bytes = entry.bytesOr("size", 0);
        long tick = entry.wholeOr("time_us", SnapshotEvents.NO_TIME);
        StackRef frames = stacks.stack(entry, "frames");
        forgetListOf(entry, frames);
        if (events.needsChunk()) {
            budget.charge(EventColumns.chunkBytes(), entry.position());
        }
        int row = events.add(action, address, bytes, tick, frames.number());
        if (!events.place(row, entry.wordOr("stream", 0), pool(entry))) {
            throw entry.wrong("stream");
        }
        events.remark(row, entry.textIfAny("compile_context"), entry.textIfAny("user_metadata"));
        chargeRemarks(entry);
        return row;
    }

    private void chargeRemarks(Fields entry) throws SnapshotFormatException {
        if (events.remarkCount() > remarks) {
            remarks = events.remarkCount();
            budget.charge(3 * Budget.OBJECT_BYTES, entry.position());
        }
    }

    /** Lists without frames, and those filled by several commands, are not settled where they are filled. */
    private void forgetListOf(Fields entry, StackRef frames) {
        Optional<Object> value = entry.dict().get("frames");
        if (value.isPresent() && value.get() instanceof PickleList) {
            stack.settle((PickleList) value.get(), frames);
        }
    }

    private PoolId pool(Fields entry) throws SnapshotFormatException {
        PoolId pool = entry.pool("pool_id");
        Optional<Object> value = entry.dict().get("pool_id");
        if (value.isPresent() && value.get() instanceof PickleList && pools.size() < MOST_POOLS) {
            // Each entry has a tuple of its own, and the memo keeps them all.
            PickleList pair = (PickleList) value.get();
            stack.settle(pair, pools.computeIfAbsent(pool, p -> pair));
        }
        return pool;
    }
}
