package dev.lacuna.core.lifetime.mindspeed;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What was requested in one run (a forward pass or a step), and what of it survived the run. */
final class RunRecords {
    private final Map<Long, SizeRecords> bySize = new HashMap<>();
    private int count;

    /** A block of this size was handed out at this tick; returns the records of its size. */
    SizeRecords add(int tick, long size) {
        SizeRecords records = bySize.computeIfAbsent(size, s -> new SizeRecords());
        count += records.add(tick);
        return records;
    }

    /** The block handed out at that tick was freed, at tick {@code end}. */
    void ended(SizeRecords records, int tick, int end) {
        count += records.ended(tick, end);
    }

    /** The nearest request of this size that came at or before this tick: whether its block survived; empty without one. */
    Optional<Boolean> survived(long size, int tick) {
        SizeRecords records = bySize.get(size);
        int at = records == null ? -1 : records.lastUpTo(tick);
        return at < 0 ? Optional.empty() : Optional.of(records.survived(at));
    }

    /** Number of records. */
    int count() {
        return count;
    }

    void forEachSize(BiConsumer<Long, SizeRecords> action) {
        bySize.forEach(action);
    }
}
