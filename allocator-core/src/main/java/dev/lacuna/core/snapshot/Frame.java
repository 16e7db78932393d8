package dev.lacuna.core.snapshot;

/**
 * One line of a call stack.
 *
 * @param file the source file, as recorded
 * @param line line in it, 0 where unknown
 * @param function what runs there
 */
public record Frame(String file, long line, String function) {}
