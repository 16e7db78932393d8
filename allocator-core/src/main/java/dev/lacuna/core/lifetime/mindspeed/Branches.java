package dev.lacuna.core.lifetime.mindspeed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs that once went another way than the run before them, in the order in which they ended. A look-up asks them in that
 * order, and the first that knows the size at or before the tick answers.
 *
 * <p>A run answers from the first tick of a size on. So of each size only those runs can ever answer that knew it earlier
 * than all runs before them: no other is kept, which bounds the memory and makes the look-up a binary search.
 */
final class Branches {
    private final Map<Long, List<SizeRecords>> earliestBySize = new HashMap<>();

    /** Remembers a run that has ended. */
    void add(RunRecords run) {
        run.forEachSize((size, records) -> {
            List<SizeRecords> known = earliestBySize.computeIfAbsent(size, s -> new ArrayList<>(1));
            if (known.isEmpty()
                    || records.firstTick() < known.get(known.size() - 1).firstTick()) {
                known.add(records);
            }
        });
    }

    /** As {@link RunRecords#survived}, of the first run that knows. */
    Optional<Boolean> survived(long size, int tick) {
        List<SizeRecords> known = earliestBySize.getOrDefault(size, List.of());
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
        if (first == known.size()) {
            return Optional.empty();
        }
        SizeRecords records = known.get(first);
        return Optional.of(records.survived(records.lastUpTo(tick)));
    }
}
