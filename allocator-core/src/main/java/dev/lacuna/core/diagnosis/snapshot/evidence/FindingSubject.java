package dev.lacuna.core.diagnosis.snapshot.evidence;

/** What a finding is about: what a window selects when the finding is clicked. */
public sealed interface FindingSubject {
    /** The moment alone. */
    public record Moment() implements FindingSubject {}

    /**
     * One block.
     *
     * @param allocation its number in the history
     */
    record Allocation(int allocation) implements FindingSubject {}

    /**
     * All blocks of a call stack.
     *
     * @param stack its number in the history's stacks
     */
    record Stack(int stack) implements FindingSubject {}

    /**
     * A segment.
     *
     * @param address where it begins
     */
    record Segment(long address) implements FindingSubject {}

    /**
     * Blocks of these sizes.
     *
     * @param fromBytes smallest, inclusive
     * @param toBytes largest, inclusive
     */
    record Sizes(long fromBytes, long toBytes) implements FindingSubject {}
}
