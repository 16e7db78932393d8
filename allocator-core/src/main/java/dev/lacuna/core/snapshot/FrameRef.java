package dev.lacuna.core.snapshot;

/**
 * A frame that has been taken down, in the place of its dictionary.
 *
 * @param number its number in the {@link CallStacks} under construction
 */
record FrameRef(int number) {}
