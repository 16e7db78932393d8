package dev.lacuna.core.history;

/**
 * Every life of a block, in columns. Whoever is handed one does not change it.
 */
final class Lives {
    /**
     * A block that was alive before the first event.
     *
     * @param stack number of its call stack, or 0
     */
    record Opening(long address, long requested, long stream, int stack) {}

    final Opening[] opening;
    final long[] bytes;
    final int[] born;
    final int[] freed;
    final int[] died;

    /** The allocation of each event, −1 where it has none. */
    final int[] ofEvent;

    Lives(Opening[] opening, long[] bytes, int[] born, int[] freed, int[] died, int[] ofEvent) {
        this.opening = opening;
        this.bytes = bytes;
        this.born = born;
        this.freed = freed;
        this.died = died;
        this.ofEvent = ofEvent;
    }
}
