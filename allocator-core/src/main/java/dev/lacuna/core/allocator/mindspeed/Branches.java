package dev.lacuna.core.allocator.mindspeed;

import java.util.Arrays;

/**
 * The runs that once went another way than the run before them, in the order in which they ended. A look-up asks them in that
 * order, and the first that knows the size at or before the tick answers.
 *
 * <p>A run answers from the first tick of a size on. So of each size only those runs can ever answer that knew it earlier than all
 * runs before them, and each only up to the tick from which an earlier one answers. What all of them say together is one list of ticks
 * at which the answer changes, to whose front later runs add. Its length is bounded by the ticks of a run, not by how many runs there were.
 */
final class Branches {
    private static final int[] NOTHING = {};

    /** Per size the ticks, ascending, from which an answer holds: the tick itself where the block survives, ~tick where it ends. */
    private int[][] changesBySize = new int[64][];

    /** Remembers a run that has ended. */
    void add(RunRecords run) {
        for (int i = 0; i < run.sizeCount(); i++) {
            int size = run.size(i);
            SizeRecords records = run.of(size);
            int[] known = known(size);
            if (known.length == 0 || records.firstTick() < tick(known[0])) {
                ensure(size);
                changesBySize[size] = withFront(records, known);
            }
        }
    }

    /** As {@link RunRecords#fate}, of the first run that knows. */
    Fate fate(int size, int tick) {
        int[] known = known(size);
        int first = 0;
        int end = known.length;
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (tick(known[middle]) <= tick) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if (first == 0) {
            return Fate.UNKNOWN;
        }
        return known[first - 1] >= 0 ? Fate.SURVIVED : Fate.ENDED;
    }

    /** What these records say before the first tick that is known, then what is known. */
    private static int[] withFront(SizeRecords records, int[] known) {
        int before = known.length == 0 ? Integer.MAX_VALUE : tick(known[0]);
        int[] front = new int[records.count() + known.length];
        int length = 0;
        for (int i = 0; i < records.count() && records.tick(i) < before; i++) {
            if (length == 0 || records.survives(i) != front[length - 1] >= 0) {
                front[length++] = records.survives(i) ? records.tick(i) : ~records.tick(i);
            }
        }
        int same = known.length > 0 && known[0] >= 0 == front[length - 1] >= 0 ? 1 : 0;
        System.arraycopy(known, same, front, length, known.length - same);
        return Arrays.copyOf(front, length + known.length - same);
    }

    private static int tick(int change) {
        return change >= 0 ? change : ~change;
    }

    private int[] known(int size) {
        return size < changesBySize.length && changesBySize[size] != null ? changesBySize[size] : NOTHING;
    }

    private void ensure(int size) {
        if (size >= changesBySize.length) {
            changesBySize = Arrays.copyOf(changesBySize, Math.max(size + 1, changesBySize.length * 2));
        }
    }
}
