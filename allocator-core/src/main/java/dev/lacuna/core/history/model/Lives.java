package dev.lacuna.core.history.model;

/**
 * Every life of a block, in columns. Whoever is handed one does not change it.
 */
public final class Lives {
    /**
     * A block that was alive before the first event.
     *
     * @param stack number of its call stack, or 0
     */
    public record Opening(long address, long requested, long stream, int stack) {}

    public final Opening[] opening;
    public final long[] bytes;
    public final int[] born;
    public final int[] freed;
    public final int[] died;

    /** The allocation of each event, −1 where it has none. */
    public final int[] ofEvent;

    public Lives(Opening[] opening, long[] bytes, int[] born, int[] freed, int[] died, int[] ofEvent) {
        this.opening = opening;
        this.bytes = bytes;
        this.born = born;
        this.freed = freed;
        this.died = died;
        this.ofEvent = ofEvent;
    }
}
