package dev.lacuna.core.base.counters;

/**
 * The most that is reserved where a setting is changed while a training runs, which depends on what lies where at that moment.
 *
 * @param atOnceBytes where it was changed as the recording began
 * @param leastBytes the least of what several moments of its first half came to
 * @param mostBytes the most of these
 */
public record LivePeak(long atOnceBytes, long leastBytes, long mostBytes) {}
