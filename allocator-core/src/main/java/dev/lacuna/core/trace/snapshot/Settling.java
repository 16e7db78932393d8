package dev.lacuna.core.trace.snapshot;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.EventColumns;
import dev.lacuna.core.trace.snapshot.model.Fields;
import dev.lacuna.core.trace.snapshot.model.FrameRef;
import dev.lacuna.core.trace.snapshot.model.Oddities;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.core.trace.snapshot.model.StackRef;
import dev.lacuna.core.trace.snapshot.pickle.Budget;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.PickleStack;
import dev.lacuna.core.trace.snapshot.pickle.RowRange;
import dev.lacuna.core.trace.snapshot.pickle.Settler;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotFormatException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Takes down what a snapshot has millions of as soon as it is whole: dictionaries that are frames or trace entries, and lists
 * of frames. What they were is forgotten, in the memo too, so that reading needs memory for the columns and little else.
 */
public final class Settling implements Settler {
    private static final int MOST_POOLS = 4096;

    private final Budget budget;
    private final PickleStack stack;
    private final CallStacks.Builder stacks;
    private final EventColumns events = new EventColumns();
    private final Map<PoolId, PickleList> pools = new HashMap<>();
    private final Oddities oddities = new Oddities();
    private int remarks = 1;

    public Settling(Budget budget, PickleStack stack) {
        this.budget = budget;
        this.stack = stack;
        this.stacks = new CallStacks.Builder(budget);
    }

    CallStacks.Builder stacks() {
        return stacks;
    }

    Oddities oddities() {
        return oddities;
    }

    EventColumns events() {
        return events;
    }

    /** A {@link FrameRef}, a {@link RowRange}, or what it was. */
    @Override
    public Object settled(PickleDict dict) throws SnapshotFormatException {
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
            return become(dict, stacks.frame(new Fields(dict, oddities)));
        }
        return dict;
    }

    @Override
    public Optional<Object> settled(PickleList list, Object[] values, int from, int to) throws SnapshotFormatException {
        for (int i = from; i < to; i++) {
            if (!(values[i] instanceof FrameRef)) {
                return Optional.empty();
            }
        }
        StackRef settled = stacks.stack(values, from, to, stack.position());
        stack.settle(list, settled);
        budget.release(Budget.OBJECT_BYTES);
        return Optional.of(settled);
    }

    private Object become(PickleDict dict, Object settled) {
        budget.release(Budget.OBJECT_BYTES + 2L * dict.size() * Budget.ITEM_BYTES);
        stack.settle(dict, settled);
        dict.settle(settled);
        return settled;
    }

    // ---------------------------------------------------------------- trace entries

    private int row(PickleDict dict) throws SnapshotFormatException {
        EntryFields entry = new EntryFields(dict, oddities);
        for (int i = 0; i < dict.size(); i++) {
            if (dict.key(i) instanceof String) {
                entry.read((String) dict.key(i), dict.value(i), stacks);
            }
        }
        EventKind action = entry.action();
        forgetListOf(entry);
        if (events.needsChunk()) {
            budget.charge(EventColumns.chunkBytes(), dict.position());
        }
        long address = action == EventKind.OOM ? entry.deviceFreeOrAddress() : entry.address();
        int row = events.add(
                action, address, entry.bytes(), entry.tick(), entry.stack().number());
        if (!events.place(row, entry.stream(), entry.pool())) {
            oddities.note("stream", dict.position()); // More streams than any program has: it stays on the first.
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
