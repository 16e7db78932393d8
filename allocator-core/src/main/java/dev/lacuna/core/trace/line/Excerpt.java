package dev.lacuna.core.trace.line;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** A short printable piece of untrusted input, fit for a message. */
public final class Excerpt {
    private static final int LONGEST = 60;

    /** Enough to tell kinds of files apart: signatures are no longer. */
    private static final int SIGNATURE_BYTES = 8;

    private Excerpt() {}

    /** Whether these first bytes of a file are no text: a control byte other than blanks and line ends is among them. */
    public static boolean isBinary(byte[] head) {
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f') {
                return true;
            }
        }
        return false;
    }

    /** The first bytes in hexadecimal, and the letters among them: {@code 89 50 4E 47 (PNG)}. */
    public static String of(byte[] head) {
        byte[] first = Arrays.copyOf(head, Math.min(head.length, SIGNATURE_BYTES));
        String letters = new String(first, StandardCharsets.US_ASCII).replaceAll("[^\\p{Graph}]", "");
        String hex = HexFormat.ofDelimiter(" ").withUpperCase().formatHex(first);
        return letters.length() < 3 ? hex : hex + " (" + letters + ")";
    }

    public static String of(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length() && i < LONGEST; i++) {
            char c = text.charAt(i);
            out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '\uFFFD' : c);
        }
        return text.length() > LONGEST ? out.append('…').toString() : out.toString();
    }
}
