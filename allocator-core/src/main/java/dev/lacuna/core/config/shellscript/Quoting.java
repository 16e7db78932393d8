package dev.lacuna.core.config.shellscript;

import java.util.ArrayDeque;
import java.util.Deque;

/** Where quotes, braces and parentheses end. */
final class Quoting {
    private Quoting() {}

    /** Index of the closing character that belongs to what was opened just before {@code from}; the text's length where there is none. */
    static int end(String text, int from, char closing) {
        Deque<Character> open = new ArrayDeque<>();
        open.push(closing);
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            char awaited = open.peek();
            if (c == '\\') {
                i++;
            } else if (c == awaited) {
                open.pop();
                if (open.isEmpty()) {
                    return i;
                }
            } else if (c == '\'' && awaited != '"') {
                i = quote(text, i + 1);
            } else if (c == '"' || c == '`') {
                open.push(c);
            } else if (c == '$' && i + 1 < text.length() && "({".indexOf(text.charAt(i + 1)) >= 0) {
                open.push(text.charAt(++i) == '(' ? ')' : '}');
            } else if (c == '(' && awaited == ')') {
                open.push(')');
            } else if (c == '#' && awaited == ')' && Character.isWhitespace(text.charAt(i - 1))) {
                i = lineEnd(text, i) - 1;
            }
        }
        return text.length();
    }

    /** Index of the single quote that closes, or the text's length. */
    static int quote(String text, int from) {
        int end = text.indexOf('\'', from);
        return end < 0 ? text.length() : end;
    }

    /** Index of the line's end. */
    static int lineEnd(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }
}
