package dev.lacuna.core.trace.snapshot.pickle;

import java.util.Optional;

/**
 * Closes what a pickle that ended too early left open, from the inside out. Lists keep what came before the cut. A dictionary
 * in which the cut lies is no whole segment, block or entry and is left out, unless it is the outermost.
 */
final class OpenContainers {
    private final PickleStack stack;
    private final Settler settler;

    /** Whether the topmost value is the last that was begun; what it is filled with comes by one command. */
    private boolean innermost = true;

    private Optional<String> openField = Optional.empty();

    OpenContainers(PickleStack stack, Settler settler) {
        this.stack = stack;
        this.settler = settler;
    }

    PartialPickle close() throws SnapshotFormatException {
        while (stack.hasMark()) {
            int from = stack.unmark();
            if (from == 0) {
                throw stack.malformed();
            }
            take(from);
        }
        innermost = false;
        while (stack.size() > 1) {
            // Protocols that set items one by one leave no marks: the value below is what this one belongs to.
            boolean pair = stack.size() > 2 && stack.values()[stack.size() - 2] instanceof String;
            take(stack.size() - (pair ? 2 : 1));
        }
        return new PartialPickle(stack.pop(), openField);
    }

    /** Gives the values from {@code from} on to the container below them. */
    private void take(int from) throws SnapshotFormatException {
        Object target = stack.values()[from - 1];
        while (belongsToTheOneBefore(from, target)) {
            take(stack.size() - 1);
        }
        Object[] values = stack.takeFrom(from);
        boolean cutInside = values.length > 0 && isOpen(values[values.length - 1]);
        innermost = false;
        if (target instanceof PickleDict && ((PickleDict) target).settled().isEmpty()) {
            give((PickleDict) target, values, cutInside);
        } else if (target instanceof PickleList && !((PickleList) target).isTuple()) {
            give((PickleList) target, values, cutInside);
        }
    }

    /** A list of one item has no mark: the item lies right behind it, where the next item or key of the target would lie. */
    private boolean belongsToTheOneBefore(int from, Object target) {
        int last = stack.size() - 1;
        if (last <= from || !isOpen(stack.values()[last])) {
            return false;
        }
        Object before = stack.values()[last - 1];
        if (target instanceof PickleDict) {
            int key = from;
            while (key < last && stack.values()[key] instanceof String) {
                key += 2;
            }
            return key <= last && before instanceof PickleList;
        }
        return stack.values()[last] instanceof PickleDict && before instanceof PickleList;
    }

    private boolean isOpen(Object value) {
        return value instanceof PickleDict && !(innermost && ((PickleDict) value).size() > 0)
                || value instanceof PickleList && !((PickleList) value).isTuple();
    }

    private void give(PickleDict dict, Object[] values, boolean cutInside) {
        int whole = values.length - values.length % 2;
        Object last = whole == values.length && whole > 0 ? values[whole - 1] : None.NONE;
        if (stack.size() == 1 && cutInside && whole == values.length && values[whole - 2] instanceof String) {
            openField = Optional.of((String) values[whole - 2]);
        }
        if (cutInside && last instanceof PickleDict) {
            whole -= 2;
        }
        dict.putAll(java.util.Arrays.copyOf(values, whole));
    }

    private void give(PickleList list, Object[] values, boolean cutInside) throws SnapshotFormatException {
        int whole = values.length;
        if (cutInside && values[whole - 1] instanceof PickleDict) {
            whole--;
        }
        for (int i = 0; i < whole; i++) {
            if (values[i] instanceof PickleDict) {
                values[i] = settler.settled((PickleDict) values[i]);
            }
        }
        list.addAll(values, 0, whole);
    }
}
