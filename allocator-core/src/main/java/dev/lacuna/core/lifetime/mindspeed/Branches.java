package dev.lacuna.core.lifetime.mindspeed;

import java.util.ArrayList;
import java.util.List;

/**
 * The runs that once went another way than the run before them, in the order in which they ended. A look-up asks them in that
 * order, and the first that knows the size at or before the tick answers.
 *
 * <p>A run answers from the first tick of a size on. So of each size only those runs can ever answer that knew it earlier
 * than all runs before them: no other is kept, which bounds the memory and makes the look-up a binary search.
 */
final class Branches {
    private final List<List<SizeRecords>> earliestBySize = new ArrayList<>();

    /** Remembers a run that has ended. */
    void add(RunRecords run) {
        for (int i = 0; i < run.sizeCount(); i++) {
            List<SizeRecords> known = known(run.size(i));
            SizeRecords records = run.of(run.size(i));
            if (known.isEmpty()
                    || records.firstTick() < known.get(known.size() - 1).firstTick()) {
                known.add(records);
            }
        }
    }

    /** As {@link RunRecords#fate}, of the first run that knows. */
    Fate fate(int size, int tick) {
        if (size >= earliestBySize.size()) {
            return Fate.UNKNOWN;
        }
        List<SizeRecords> known = earliestBySize.get(size);
        int first = 0;
        int end = known.size();
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (known.get(middle).firstTick() <= tick) {
                end = middle;
            } else {
                first = middle + 1;
            }
        }
        return first == known.size() ? Fate.UNKNOWN : known.get(first).fate(tick);
    }

    private List<SizeRecords> known(int size) {
        while (earliestBySize.size() <= size) {
            earliestBySize.add(new ArrayList<>(0));
        }
        return earliestBySize.get(size);
    }
}
