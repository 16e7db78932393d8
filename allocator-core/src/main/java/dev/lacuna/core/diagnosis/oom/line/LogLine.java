package dev.lacuna.core.diagnosis.oom.line;

/**
 * A line of a log, or a piece of one: lines are cut where a carriage return redraws them, and where they grow too long.
 *
 * @param number line of the input, counted from 1
 * @param offset offset of the first character in the input
 * @param text without its line end
 * @param continued whether this piece goes on where the one before was cut for its length
 */
public record LogLine(long number, long offset, String text, boolean continued) {}
