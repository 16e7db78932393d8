package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What is known of the pool from beside a message: an attached process, or another message of the same rank. All bytes.
 *
 * @param totalBytes capacity of the device
 * @param gapBytes reserved − allocated
 * @param outsideBytes in use outside the pool
 */
public record PoolState(OptionalLong totalBytes, OptionalLong gapBytes, OptionalLong outsideBytes) {
    /** Nothing is known. */
    public static final PoolState UNKNOWN =
            new PoolState(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** What a message tells of its pool. */
    public static PoolState of(OomReport report) {
        return new PoolState(report.totalBytes(), report.gapBytes(), report.outsideBytes());
    }

    /** What tables of counters tell together, the last of each. */
    public static PoolState of(List<OomReport> tables) {
        return new PoolState(
                last(tables, OomReport::totalBytes), last(tables, OomReport::gapBytes), OptionalLong.empty());
    }

    private static OptionalLong last(List<OomReport> tables, Function<OomReport, OptionalLong> figure) {
        return tables.stream()
                .map(figure)
                .filter(OptionalLong::isPresent)
                .reduce((first, second) -> second)
                .orElse(OptionalLong.empty());
    }

    /** What a sample of the attached process tells. */
    public static PoolState of(MemoryCounters counters) {
        return new PoolState(
                OptionalLong.of(counters.totalBytes()),
                OptionalLong.of(counters.gapNowBytes()),
                OptionalLong.of(counters.outsideBytes()));
    }
}
