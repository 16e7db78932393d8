package dev.lacuna.core.trace.snapshot.model;

/**
 * A call stack that has been taken down, in the place of the list of its frames.
 *
 * @param number its number in the {@link CallStacks}
 */
public record StackRef(int number) {}
