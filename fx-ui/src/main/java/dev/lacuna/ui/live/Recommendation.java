package dev.lacuna.ui.live;

import dev.lacuna.core.memory.MemoryCounters;

/**
 * The memory fraction that is offered in one click.
 *
 * @param fraction the largest, in steps of 0.01, that leaves what lies outside the pool its measured room
 * @param outsideBytes that measured room
 * @param leftBytes what the fraction leaves outside the pool
 */
public record Recommendation(double fraction, long outsideBytes, long leftBytes) {
    /** What is usually set in the field, where the runtime's and the collectives' needs are not measured. */
    public static final double USUAL = 0.94;

    /** What these counters recommend. */
    public static Recommendation of(MemoryCounters counters) {
        long total = counters.totalBytes();
        long room = Math.max(0, total - counters.outsideBytes());
        double fraction = total <= 0 ? 1 : Math.max(0.01, Math.floor(room * 100.0 / total) / 100);
        return new Recommendation(fraction, counters.outsideBytes(), total - (long) Math.floor(fraction * total));
    }
}
