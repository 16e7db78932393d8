package dev.lacuna.core.snapshot;

/**
 * A call stack that has been taken down, in the place of the list of its frames.
 *
 * @param number its number in the {@link CallStacks}
 */
record StackRef(int number) {}
