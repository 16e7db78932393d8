package dev.lacuna.core.base;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How long one search may go on. A search asks now and then, and when it is over ends with the best it has; it remembers
 * whether that happened, so that nobody takes what was cut short for what was searched to its end.
 */
public final class Patience {
    private final OptionalLong endNs;
    private final LongSupplier clockNs;
    private final BooleanSupplier cancelled;
    private boolean cut;

    private Patience(OptionalLong endNs, LongSupplier clockNs, BooleanSupplier cancelled) {
        this.endNs = endNs;
        this.clockNs = clockNs;
        this.cancelled = cancelled;
    }

    /** Never over. */
    public static Patience endless() {
        return new Patience(OptionalLong.empty(), () -> 0, () -> false);
    }

    /**
     * Over when the clock stands there, or when nobody waits for the result any more.
     *
     * @param endNs as the clock counts
     * @param cancelled asked as often as the clock
     */
    public static Patience until(long endNs, LongSupplier clockNs, BooleanSupplier cancelled) {
        return new Patience(OptionalLong.of(endNs), clockNs, cancelled);
    }

    /** Whether the search must end; once it must, it must whenever it asks. */
    public boolean isOver() {
        cut = cut || cancelled.getAsBoolean() || endNs.isPresent() && clockNs.getAsLong() - endNs.getAsLong() >= 0;
        return cut;
    }

    /** Whether the search was told to end. */
    public boolean cut() {
        return cut;
    }

    /** What is left, nanoseconds; empty where it never ends. */
    public OptionalLong leftNs() {
        return endNs.isPresent()
                ? OptionalLong.of(Math.max(0, endNs.getAsLong() - clockNs.getAsLong()))
                : OptionalLong.empty();
    }
}
