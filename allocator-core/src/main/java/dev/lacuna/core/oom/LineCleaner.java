package dev.lacuna.core.oom;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Takes away what terminals, containers and web pages add to a line: ANSI colours, JSON string escapes, HTML tags and
 * entities. A line of a JSON log that carries several lines of text becomes several.
 */
final class LineCleaner {
    private static final char ESCAPE = '\u001b';
    private static final char BELL = '\u0007';
    private static final int MAX_ESCAPE = 64;
    private static final int MAX_TAG = 200;
    private static final int MAX_ENTITY = 10;
    private static final Set<String> TAGS = Set.of(
            "a",
            "b",
            "blockquote",
            "br",
            "code",
            "div",
            "em",
            "i",
            "li",
            "p",
            "pre",
            "span",
            "strong",
            "table",
            "tbody",
            "td",
            "th",
            "tr",
            "ul");
    private static final Map<String, Character> ENTITIES =
            Map.of("amp", '&', "lt", '<', "gt", '>', "quot", '"', "apos", '\'', "nbsp", ' ');

    /** The lines of text that this line carries; usually one. */
    List<CleanLine> clean(LogLine line, CleanLine before) {
        String s = line.text();
        boolean json = looksLikeJson(s);
        if (!json && isPlain(s)) {
            MappedText text = MappedText.asItStands(s, line.offset());
            return List.of(finish(line, text, line.continued(), before));
        }
        List<CleanLine> lines = new ArrayList<>(1);
        MappedText text = MappedText.building(line.offset(), s.length());
        for (int i = 0; i < s.length(); ) {
            char c = s.charAt(i);
            int next = afterMarkup(s, i);
            if (json && c == '\\' && isJsonEscape(s, i)) {
                int length = jsonEscape(s, i);
                char meant = jsonMeaning(s, i, length);
                next = meant == ESCAPE ? afterColour(s, i + length - 1) : i + length;
                if (meant == '\n') {
                    lines.add(finish(line, text.built(), false, before));
                    text = MappedText.building(line.offset(), s.length() - i);
                } else if (meant != ESCAPE) {
                    text.append(meant, i);
                }
            } else if (next == i && c == '&' && entityEnd(s, i) > i) {
                next = entityEnd(s, i) + 1;
                text.append(entity(s.substring(i + 1, next - 1)), i);
            } else if (next == i) {
                text.append(c, i);
                next = i + 1;
            }
            i = next;
        }
        lines.add(finish(line, text.built(), line.continued() && lines.isEmpty(), before));
        return lines;
    }

    /** Whether there is nothing to take away. */
    private static boolean isPlain(String s) {
        if (s.indexOf(ESCAPE) >= 0 || s.indexOf('<') >= 0 || s.indexOf('&') >= 0) {
            return false;
        }
        for (int i = s.indexOf('['); i >= 0; i = s.indexOf('[', i + 1)) {
            if (afterBareColour(s, i) > i) {
                return false;
            }
        }
        return true;
    }

    private static CleanLine finish(LogLine line, MappedText text, boolean continued, CleanLine before) {
        if (continued && before != null) {
            return new CleanLine(line.number(), text, 0, before.writer(), before.rank());
        }
        LinePrefix prefix = LinePrefix.of(text.toString());
        return new CleanLine(line.number(), text, prefix.length(), prefix.writer(), prefix.rank());
    }

    private static boolean looksLikeJson(String s) {
        int brace = s.indexOf('{');
        return brace >= 0 && brace < 200 && s.indexOf("\":", brace) > 0 && s.indexOf('\\') > 0;
    }

    private static boolean isJsonEscape(String s, int i) {
        return i + 1 < s.length() && "\"\\/bfnrtu".indexOf(s.charAt(i + 1)) >= 0;
    }

    /** Length of the JSON escape at i, at least 2. */
    private static int jsonEscape(String s, int i) {
        return s.charAt(i + 1) == 'u' && i + 6 <= s.length() && isHex(s, i + 2, i + 6) ? 6 : 2;
    }

    private static char jsonMeaning(String s, int i, int length) {
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

    /** End of the colour code or tag that begins at i; i itself when none does. */
    private static int afterMarkup(String s, int i) {
        return switch (s.charAt(i)) {
            case ESCAPE -> afterColour(s, i);
            case '[' -> afterBareColour(s, i);
            case '<' -> afterTag(s, i);
            default -> i;
        };
    }

    /** After the escape sequence whose ESC stands at i. */
    private static int afterColour(String s, int i) {
        if (i + 1 >= s.length()) {
            return i + 1;
        }
        int end = Math.min(s.length(), i + MAX_ESCAPE);
        char kind = s.charAt(i + 1);
        for (int k = i + 2; k < end; k++) {
            char c = s.charAt(k);
            if (kind == ']' ? c == BELL || c == '\\' && s.charAt(k - 1) == ESCAPE : c >= '@' && c <= '~') {
                return k + 1;
            }
        }
        return kind == '[' || kind == ']' ? i + 2 : i + 1;
    }

    /** A colour code that lost its ESC in a paste: {@code [1;35m}. */
    private static int afterBareColour(String s, int i) {
        int k = i + 1;
        while (k < s.length() && k < i + 16 && (Character.isDigit(s.charAt(k)) || s.charAt(k) == ';')) {
            k++;
        }
        return k > i + 1 && k < s.length() && s.charAt(k) == 'm' ? k + 1 : i;
    }

    private static int afterTag(String s, int i) {
        int k = i + 1;
        if (k < s.length() && s.charAt(k) == '/') {
            k++;
        }
        int name = k;
        while (k < s.length() && k - name <= 10 && Character.isLetter(s.charAt(k))) {
            k++;
        }
        if (!TAGS.contains(s.substring(name, k).toLowerCase(Locale.ROOT))) {
            return i;
        }
        int close = s.indexOf('>', k);
        return close >= 0 && close - i <= MAX_TAG ? close + 1 : i;
    }

    private static int entityEnd(String s, int i) {
        int limit = Math.min(s.length(), i + MAX_ENTITY);
        for (int k = i + 1; k < limit; k++) {
            if (s.charAt(k) == ';') {
                String name = s.substring(i + 1, k);
                return ENTITIES.containsKey(name) || codePoint(name).isPresent() ? k : i;
            }
        }
        return i;
    }

    private static char entity(String name) {
        Character known = ENTITIES.get(name);
        return known != null ? known : (char) codePoint(name).orElse(' ');
    }

    /** The character of {@code #39} or {@code #x27}. */
    private static OptionalInt codePoint(String name) {
        if (name.length() < 2 || name.charAt(0) != '#') {
            return OptionalInt.empty();
        }
        boolean hex = name.charAt(1) == 'x' || name.charAt(1) == 'X';
        try {
            int value = Integer.parseInt(name.substring(hex ? 2 : 1), hex ? 16 : 10);
            return value > 0 && value < Character.MIN_SURROGATE ? OptionalInt.of(value) : OptionalInt.empty();
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
