package dev.lacuna.core.allocator.model;

/**
 * What it cost to find room by giving cached memory back: before PyTorch's rules, and those made after them, let a request fail, the
 * device waits for what it has to do, everything that is wholly free goes back to it, and the request is tried again.
 *
 * @param count how often
 * @param bytes given back by all of them, most of which is asked for anew
 */
public record Flushes(long count, long bytes) {
    /** None at all. */
    public static final Flushes NONE = new Flushes(0, 0);
}
