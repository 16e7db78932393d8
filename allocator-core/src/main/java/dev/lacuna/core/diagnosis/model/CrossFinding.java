package dev.lacuna.core.diagnosis.model;

/**
 * Something that no single report tells, but several together or the lines around them.
 *
 * @param log index of the log that it is said of
 * @param report index in that log of the report that it is said of; −1 when it is said of the log
 * @param finding what was found
 */
public record CrossFinding(int log, int report, Finding finding) {}
