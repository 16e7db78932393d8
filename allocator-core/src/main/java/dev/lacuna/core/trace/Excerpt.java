package dev.lacuna.core.trace;

/** A short printable piece of untrusted input, fit for a message. */
final class Excerpt {
    private static final int LONGEST = 60;

    private Excerpt() {}

    static String of(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length() && i < LONGEST; i++) {
            char c = text.charAt(i);
            out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '\uFFFD' : c);
        }
        return text.length() > LONGEST ? out.append('…').toString() : out.toString();
    }
}
