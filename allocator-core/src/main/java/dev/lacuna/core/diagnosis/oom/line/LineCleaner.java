package dev.lacuna.core.diagnosis.oom.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Takes away what terminals, containers and web pages add to a line: ANSI colours, JSON string escapes, HTML tags and
 * entities. A line of a JSON log that carries several lines of text becomes several.
 */
public final class LineCleaner {
    private static final char ESCAPE = '\u001b';
    private static final String RANK = "[rank";
    private static final String BOLD = "**";
    private static final int LONGEST_BOLD = 40;
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

    /**
     * The lines of text that this line carries; usually one.
     *
     * @param before the cleaned line before, whose writer a later piece of a line shares; may be null
     * @param labelled whether the line carries a launcher's bare rank
     */
    public List<CleanLine> clean(LogLine line, CleanLine before, boolean labelled) {
        MappedText whole = MappedText.asItStands(line.text(), line.offset());
        if (!line.continued()) {
            Optional<List<MappedText>> framed = JsonFrame.unwrap(whole);
            if (framed.isPresent()) {
                return framed.get().stream()
                        .flatMap(text -> clean(line, text, before, false).stream())
                        .toList();
            }
        }
        return clean(line, whole, before, labelled);
    }

    /** The same of a line of JSON as it stands, for text under a key that no logger uses. */
    public List<CleanLine> cleanWhole(LogLine line) {
        return clean(line, MappedText.asItStands(line.text(), line.offset()), null, false);
    }

    /** The lines of text that a container's line of JSON carries; else the line itself. */
    public static List<String> carried(LogLine line) {
        if (!line.text().stripLeading().startsWith("{")) {
            return List.of(line.text());
        }
        return JsonFrame.unwrap(MappedText.asItStands(line.text(), line.offset()))
                .map(texts -> texts.stream().map(MappedText::toString).toList())
                .orElse(List.of(line.text()));
    }

    private List<CleanLine> clean(LogLine line, MappedText from, CleanLine before, boolean labelled) {
        String s = from.toString();
        Escapes escapes = Escapes.of(s);
        if (escapes == Escapes.NONE && isPlain(s)) {
            return List.of(finish(line, from, line.continued(), before, labelled));
        }
        List<CleanLine> lines = new ArrayList<>(1);
        MappedText text = MappedText.building(from.offset(0), s.length());
        for (int i = 0; i < s.length(); ) {
            char c = s.charAt(i);
            int distance = (int) (from.offset(i) - text.base());
            int next = afterMarkup(s, i);
            if (c == '[' && isGlued(s, i)) {
                lines.add(finish(line, text.built(), false, before, labelled && lines.isEmpty()));
                text = MappedText.building(from.offset(i), s.length() - i);
                distance = 0;
            }
            if (c == '\\' && escapes.at(s, i)) {
                int length = JsonText.length(s, i);
                char meant = JsonText.meaning(s, i, length);
                next = meant == ESCAPE ? afterColour(s, i + length - 1) : i + length;
                if (meant == '\n') {
                    lines.add(finish(line, text.built(), false, before, labelled && lines.isEmpty()));
                    text = MappedText.building(from.offset(i), s.length() - i);
                } else if (meant != ESCAPE) {
                    text.append(meant, distance);
                }
            } else if (next == i && c == '&' && entityEnd(s, i) > i) {
                next = entityEnd(s, i) + 1;
                text.append(entity(s.substring(i + 1, next - 1)), distance);
            } else if (next == i) {
                text.append(c, distance);
                next = i + 1;
            }
            i = next;
        }
        lines.add(finish(line, text.built(), line.continued() && lines.isEmpty(), before, labelled && lines.isEmpty()));
        return lines;
    }

    /** Which escapes a line carries. */
    private enum Escapes {
        /** None. */
        NONE,
        /** JSON's. */
        JSON,
        /** Line feeds and quotes, as Python's repr prints them. */
        REPR;

        static Escapes of(String s) {
            if (s.indexOf('\\') < 0) {
                return NONE;
            }
            int brace = s.indexOf('{');
            if (brace >= 0 && brace < 200 && s.indexOf("\":", brace) > 0) {
                return JSON;
            }
            boolean windowsPath = s.contains(":\\");
            return s.contains("\\n") && !windowsPath ? REPR : NONE;
        }

        boolean at(String s, int i) {
            return switch (this) {
                case NONE -> false;
                case JSON -> JsonText.isEscape(s, i);
                case REPR -> i + 1 < s.length() && "n'\"".indexOf(s.charAt(i + 1)) >= 0;
            };
        }
    }

    /** Two ranks that printed at once: another's mark within the line of one. */
    private static boolean isGlued(String s, int i) {
        if (!s.startsWith(RANK, i) || s.lastIndexOf(RANK, i - 1) < 0 || i == 0) {
            return false;
        }
        int end = s.indexOf(']', i);
        String number = end < 0 ? "" : s.substring(i + RANK.length(), end);
        return number.matches("\\d{1,6}") && s.startsWith("]: ", end);
    }

    /** Whether there is nothing to take away. */
    private static boolean isPlain(String s) {
        int rank = s.indexOf(RANK);
        boolean glued = rank >= 0 && s.indexOf(RANK, rank + 1) >= 0;
        if (glued || s.indexOf(ESCAPE) >= 0 || s.indexOf('<') >= 0 || s.indexOf('&') >= 0 || s.contains(BOLD)) {
            return false;
        }
        for (int i = s.indexOf('['); i >= 0; i = s.indexOf('[', i + 1)) {
            if (afterBareColour(s, i) > i) {
                return false;
            }
        }
        return true;
    }

    private static CleanLine finish(
            LogLine line, MappedText text, boolean continued, CleanLine before, boolean labelled) {
        if (continued && before != null) {
            return new CleanLine(line.number(), text, 0, before.writer(), before.rank());
        }
        LinePrefix prefix = LinePrefix.of(text.toString(), labelled);
        return new CleanLine(line.number(), text, prefix.length(), prefix.writer(), prefix.rank());
    }

    /** End of the colour code or tag that begins at i; i itself when none does. */
    private static int afterMarkup(String s, int i) {
        return switch (s.charAt(i)) {
            case ESCAPE -> afterColour(s, i);
            case '[' -> afterBareColour(s, i);
            case '<' -> afterTag(s, i);
            case '*' -> afterBold(s, i);
            default -> i;
        };
    }

    /** The stars of a forum's bold figure, {@code has **5.90 GiB** memory in use}; two to the tenth keeps its own. */
    private static int afterBold(String s, int i) {
        if (!s.startsWith(BOLD, i)) {
            return i;
        }
        if (opensBold(s, i)) {
            return i + BOLD.length();
        }
        for (int k = i - BOLD.length(); k >= Math.max(0, i - LONGEST_BOLD); k--) {
            if (s.startsWith(BOLD, k)) {
                return opensBold(s, k) ? i + BOLD.length() : i;
            }
        }
        return i;
    }

    /** Before a figure, with an end not far behind it. */
    private static boolean opensBold(String s, int i) {
        int behind = i + BOLD.length();
        if (i == 0 || s.charAt(i - 1) != ' ' || behind >= s.length() || !Character.isDigit(s.charAt(behind))) {
            return false;
        }
        int end = Math.min(s.length(), behind + LONGEST_BOLD);
        for (int k = behind; k < end; k++) {
            if (s.startsWith(BOLD, k)) {
                return true;
            }
        }
        return false;
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
