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
        if (dict.has("action")) {
            int row = row(dict);
            return become(dict, new RowRange(row, row + 1));
        }
        if (dict.has("filename") && (dict.has("name") || dict.has("line"))) {
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

    private int row(PickleDict dict) throws SnapshotFormatException {
        EntryFields entry = new EntryFields(dict);
        for (int i = 0; i < dict.size(); i++) {
            if (dict.key(i) instanceof String) {
                entry.read((String) dict.key(i), dict.value(i), stacks);
            }
        }
        TraceAction action = entry.action();
        forgetListOf(entry);
        if (events.needsChunk()) {
            budget.charge(EventColumns.chunkBytes(), dict.position());
        }
        long address = action == TraceAction.OOM ? entry.deviceFreeOrAddress() : entry.address();
        int row = events.add(
                action, address, entry.bytes(), entry.tick(), entry.stack().number());
        if (!events.place(row, entry.stream(), entry.pool())) {
            throw new SnapshotFormatException(SnapshotProblem.WRONG_VALUE, dict.position(), "stream");
        }
        events.remark(row, entry.context(), entry.note());
        chargeRemarks(dict);
        return row;
    }

    private void chargeRemarks(PickleDict dict) throws SnapshotFormatException {
        if (events.remarkCount() > remarks) {
            remarks = events.remarkCount();
            budget.charge(3 * Budget.OBJECT_BYTES, dict.position());
        }
    }

    /**
     * Lists without frames, and those filled by several commands, are not settled where they are filled; each entry may have
     * a pair of pools of its own. The memo keeps them all.
     */
    private void forgetListOf(EntryFields entry) {
        if (entry.frames() instanceof PickleList) {
            stack.settle((PickleList) entry.frames(), entry.stack());
        }
        if (entry.pools() instanceof PickleList && pools.size() < MOST_POOLS) {
            PickleList pair = (PickleList) entry.pools();
            stack.settle(pair, pools.computeIfAbsent(entry.pool(), p -> pair));
        }
    }
}
