package dev.lacuna.ui.chart;

/**
 * A moment worth a vertical line and a word.
 *
 * @param timeNs when, on the monotonic clock
 * @param tone how grave it is
 * @param key what happened, the key of its word in the bundle
 * @param value the figure that goes with it: bytes or a flag, as the key says
 */
public record Marker(long timeNs, Tone tone, String key, long value) {
    /** Decides colour and pattern of the line. */
    public enum Tone {
        /** What an allocator does all the time: a tick at the upper edge, without a word. */
        FAINT,
        /** Something the operator or the trainer asked for. */
        NOTE,
        /** Something went wrong. */
        ALARM
    }
}
