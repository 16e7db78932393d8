package dev.lacuna.core.diagnosis.oom.model;

/**
 * Where a report stands in its input.
 *
 * @param line first line, counted from 1
 * @param lastLine last line
 * @param start offset of the first character, in UTF-16 units after decoding
 * @param end offset after the last character
 */
public record Span(long line, long lastLine, long start, long end) {}
