package dev.lacuna.core.diagnosis.model;

/** What a finding is about: what a window selects when the finding is clicked. */
public sealed interface Subject {
    /** All of what was looked at: the report, the log, the recording at that moment. */
    record Whole() implements Subject {}

    /**
     * A report of one of several logs.
     *
     * @param log index of the log
     * @param report index in that log; −1 for the log itself
     */
    record Report(int log, int report) implements Subject {}

    /**
     * One block.
     *
     * @param allocation its number in the history
     */
    record Allocation(int allocation) implements Subject {}

    /**
     * All blocks of a call stack.
     *
     * @param stack its number in the history's stacks
     */
    record Stack(int stack) implements Subject {}

    /**
     * A segment.
     *
     * @param address where it begins
     */
    record Segment(long address) implements Subject {}

    /**
     * Blocks of these sizes.
     *
     * @param fromBytes smallest, inclusive
     * @param toBytes largest, inclusive
     */
    record Sizes(long fromBytes, long toBytes) implements Subject {}
}
