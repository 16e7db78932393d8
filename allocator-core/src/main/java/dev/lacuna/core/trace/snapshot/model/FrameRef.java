package dev.lacuna.core.trace.snapshot.model;

/**
 * A frame that has been taken down, in the place of its dictionary.
 *
 * @param number its number in the {@link CallStacks} under construction
 */
public record FrameRef(int number) {}
