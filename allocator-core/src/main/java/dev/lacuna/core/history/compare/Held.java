package dev.lacuna.core.history.compare;

/**
 * Some blocks or segments.
 *
 * @param bytes their bytes
 * @param count their number
 */
public record Held(long bytes, long count) {
    /** None. */
    public static final Held NOTHING = new Held(0, 0);

    /** Together with these. */
    public Held plus(Held more) {
        return new Held(bytes + more.bytes, count + more.count);
    }

    /** Together with one more of this size. */
    Held plus(long size) {
        return new Held(bytes + size, count + 1);
    }
}
