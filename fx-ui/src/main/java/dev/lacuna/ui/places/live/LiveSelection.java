package dev.lacuna.ui.places.live;

/** What is selected in the live place. Every card highlights what it shows of it. */
sealed interface LiveSelection {
    /** Nothing. */
    LiveSelection NONE = new None();

    /** Nothing. */
    record None() implements LiveSelection {}

    /** A part of the memory, wherever it is drawn. */
    record Part(MemoryPart part) implements LiveSelection {}

    /**
     * One block, hole or unseen stretch.
     *
     * @param address where it begins
     * @param part what it belongs to
     */
    record Piece(long address, MemoryPart part) implements LiveSelection {}

    /**
     * Something that happened.
     *
     * @param timeNs when, on the monotonic clock
     */
    record Event(long timeNs) implements LiveSelection {}
}
