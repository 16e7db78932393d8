package dev.lacuna.core.trace.snapshot.pickle;

/** The escapes of strings in pickles of protocol 0. */
final class TextEscapes {
    private TextEscapes() {}

    /** Text written as raw-unicode-escape: only backslash-u and backslash-U mean something. */
    static String unicode(String line) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            int digits = digitsAfter(line, i);
            if (digits > 0 && i + 2 + digits <= line.length() && isHex(line, i + 2, digits)) {
                append(out, Long.parseLong(line, i + 2, i + 2 + digits, 16));
                i += 1 + digits;
            } else {
                out.append(line.charAt(i));
            }
        }
        return out.toString();
    }

    /** Python 2's repr of a byte string, in quotes. */
    static String quoted(String line, PickleStack stack) throws SnapshotFormatException {
        String text = line.strip();
        char quote = text.isEmpty() ? ' ' : text.charAt(0);
        if (text.length() < 2 || quote != '\'' && quote != '"' || text.charAt(text.length() - 1) != quote) {
            throw stack.malformed();
        }
        return unescaped(text.substring(1, text.length() - 1));
    }

    private static String unescaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                out.append(c);
                continue;
            }
            char escape = text.charAt(++i);
            switch (escape) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'r' -> out.append('\r');
                case '\\', '\'', '"' -> out.append(escape);
                case 'x' -> {
                    if (i + 3 <= text.length() && isHex(text, i + 1, 2)) {
                        out.append((char) Integer.parseInt(text, i + 1, i + 3, 16));
                        i += 2;
                    } else {
                        out.append("\\x");
                    }
                }
                default -> out.append('\\').append(escape);
            }
        }
        return out.toString();
    }

    private static int digitsAfter(String line, int i) {
        if (line.charAt(i) != '\\' || i + 1 == line.length()) {
            return 0;
        }
        return switch (line.charAt(i + 1)) {
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
        };
    }

    private static boolean isHex(String text, int from, int count) {
        for (int i = from; i < from + count; i++) {
            if (Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void append(StringBuilder out, long codePoint) {
        if (codePoint <= Character.MAX_CODE_POINT) {
            out.appendCodePoint((int) codePoint);
        } else {
            out.append('\uFFFD');
        }
    }
}
