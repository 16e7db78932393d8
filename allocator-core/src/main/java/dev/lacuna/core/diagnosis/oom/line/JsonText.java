package dev.lacuna.core.diagnosis.oom.line;

import java.util.ArrayList;
import java.util.List;

/** A string of JSON without its escapes, each character still knowing where it stood. */
final class JsonText {
    private JsonText() {}

    /** Index of the quote that ends the string whose first character is at {@code start}; −1 when none does. */
    static int end(String s, int start) {
        for (int i = start; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"') {
                return i;
            }
            if (c == '\\') {
                i++;
            }
        }
        return -1;
    }

    /** The string in {@code [start, end)}, cut into lines; an empty last line is left out. */
    static List<MappedText> unescape(MappedText from, int start, int end) {
        String s = from.toString();
        List<MappedText> lines = new ArrayList<>(1);
        MappedText text = MappedText.building(from.offset(start), end - start);
        boolean any = false;
        for (int i = start; i < end; ) {
            boolean escape = s.charAt(i) == '\\' && isEscape(s, i);
            int length = escape ? length(s, i) : 1;
            char meant = escape ? meaning(s, i, length) : s.charAt(i);
            if (meant == '\n') {
                lines.add(text.built());
                text = MappedText.building(from.offset(i), end - i);
                any = false;
            } else {
                text.append(meant, (int) (from.offset(i) - text.base()));
                any = true;
            }
            i += length;
        }
        if (any || lines.isEmpty()) {
            lines.add(text.built());
        }
        return lines;
    }

    /** Whether an escape begins at the backslash at i. */
    static boolean isEscape(String s, int i) {
        return i + 1 < s.length() && "\"\\/bfnrtu".indexOf(s.charAt(i + 1)) >= 0;
    }

    /** Length of the escape at i, at least 2. */
    static int length(String s, int i) {
        return s.charAt(i + 1) == 'u' && i + 6 <= s.length() && isHex(s, i + 2, i + 6) ? 6 : 2;
    }

    /** The character that the escape at i stands for; white space but the line feed becomes a space. */
    static char meaning(String s, int i, int length) {
        if (length == 6) {
            return (char) Integer.parseInt(s.substring(i + 2, i + 6), 16);
        }
        return switch (s.charAt(i + 1)) {
            case 'n' -> '\n';
            case 't', 'r', 'b', 'f' -> ' ';
            default -> s.charAt(i + 1);
        };
    }

    private static boolean isHex(String s, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Character.digit(s.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
