package dev.lacuna.core.trace.snapshot.model;

import java.util.Comparator;

/**
 * One line of a call stack.
 *
 * @param file the source file, as recorded
 * @param line line in it, 0 where unknown
 * @param function what runs there
 */
public record Frame(String file, long line, String function) implements Comparable<Frame> {
    private static final Comparator<Frame> ORDER =
            Comparator.comparing(Frame::file).thenComparingLong(Frame::line).thenComparing(Frame::function);

    /** By file, then line, then function. Maps need an order where a hostile file makes hashes equal. */
    @Override
    public int compareTo(Frame other) {
        return ORDER.compare(this, other);
    }
}
