package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import java.util.function.IntPredicate;

/**
 * Bytes and blocks by call stack: at a moment, or what changed between two. One pass over the allocations. Immutable.
 * Allocations whose stack was not recorded count for the empty stack, {@link CallStacks#EMPTY}.
 */
public final class StackBytes {
    private final long[] bytes;
    private final int[] blocks;

    private StackBytes(long[] bytes, int[] blocks) {
        this.bytes = bytes;
        this.blocks = blocks;
    }

    /** What was live at a moment. */
    public static StackBytes at(DeviceHistory history, int moment) {
        return of(history, a -> HeldByTrainer.isLive(history, a, moment));
    }

    /** What was live at the second moment less what was live at the first; negative where a stack holds less. */
    public static StackBytes between(DeviceHistory history, int from, int to) {
        StackBytes result = empty(history);
        for (int a = 0; a < history.allocations(); a++) {
            boolean before = HeldByTrainer.isLive(history, a, from);
            if (before != HeldByTrainer.isLive(history, a, to)) {
                result.add(stackOf(history, a), history.bytesOf(a), before ? -1 : 1);
            }
        }
        return result;
    }

    /** Those of the allocations that are wanted. */
    public static StackBytes of(DeviceHistory history, IntPredicate wanted) {
        StackBytes result = empty(history);
        for (int a = 0; a < history.allocations(); a++) {
            if (wanted.test(a)) {
                result.add(stackOf(history, a), history.bytesOf(a), 1);
            }
        }
        return result;
    }

    /** The stack of an allocation; the empty one where none was recorded. */
    public static int stackOf(DeviceHistory history, int allocation) {
        int stack = history.stackOf(allocation);
        return stack < 0 ? CallStacks.EMPTY : stack;
    }

    /** Only the stacks that hold more. */
    public StackBytes grown() {
        return keeping(1);
    }

    /** Only the stacks that hold less, with their losses as positive figures. */
    public StackBytes shrunk() {
        return keeping(-1);
    }

    /** Number of stacks, the empty one included. */
    public int stacks() {
        return bytes.length;
    }

    /** Bytes of this stack. */
    public long bytes(int stack) {
        return bytes[stack];
    }

    /** Blocks of this stack. */
    public int blocks(int stack) {
        return blocks[stack];
    }

    private StackBytes keeping(int sign) {
        StackBytes kept = new StackBytes(new long[bytes.length], new int[bytes.length]);
        for (int s = 0; s < bytes.length; s++) {
            if (Long.signum(bytes[s]) == sign) {
                kept.bytes[s] = sign * bytes[s];
                kept.blocks[s] = sign * blocks[s];
            }
        }
        return kept;
    }

    private void add(int stack, long size, int sign) {
        bytes[stack] += sign * size;
        blocks[stack] += sign;
    }

    private static StackBytes empty(DeviceHistory history) {
        int stacks = Math.max(1, history.stacks().size());
        return new StackBytes(new long[stacks], new int[stacks]);
    }
}
