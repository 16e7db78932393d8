package dev.lacuna.ui.settings;

/**
 * A diagnosed text that no file holds, as it is kept from one run to the next.
 *
 * @param name where it came from, for people; empty for a pasted text
 * @param atMs when it was diagnosed, in milliseconds since 1970
 * @param text its messages, at most {@link #LONGEST} characters
 */
public record KeptLog(String name, long atMs, String text) {
    /** Characters kept of a text: a dozen messages with their numbers, and never a whole training log. */
    public static final int LONGEST = 16_384;

    public KeptLog {
        text = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    }
}
