package dev.lacuna.app.cli.output;

import java.io.PrintStream;
import java.text.BreakIterator;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Writes paragraphs that fit a terminal of 80 columns; characters of East Asian scripts take two of them. */
public final class WrappedText {
    static final int COLUMNS = 80;

    private final PrintStream out;
    private final Locale locale;
    private final UnaryOperator<String> look;

    public WrappedText(PrintStream out, Locale locale) {
        this(out, locale, UnaryOperator.identity());
    }

    private WrappedText(PrintStream out, Locale locale, UnaryOperator<String> look) {
        this.out = out;
        this.locale = locale;
        this.look = look;
    }

    /** The same whose lines look so, such as {@code Style.out()::bad}. */
    public WrappedText in(UnaryOperator<String> otherLook) {
        return new WrappedText(out, locale, otherLook);
    }

    /** A paragraph whose first line begins with {@code first} and whose others are indented as far. */
    public void print(String first, String text) {
        String indent = " ".repeat(width(first));
        StringBuilder line = new StringBuilder(first);
        int used = width(first);
        boolean empty = true;
        BreakIterator breaks = BreakIterator.getLineInstance(locale);
        breaks.setText(text);
        int start = breaks.first();
        for (int end = breaks.next(); end != BreakIterator.DONE; start = end, end = breaks.next()) {
            String piece = text.substring(start, end);
            if (!empty && used + width(piece.stripTrailing()) > COLUMNS) {
                out.println(look.apply(line.toString().stripTrailing()));
                line = new StringBuilder(indent);
                used = indent.length();
            }
            line.append(piece);
            used += width(piece);
            empty = false;
        }
        out.println(look.apply(line.toString().stripTrailing()));
    }

    /** A line of somebody else's: cut where the terminal ends, nothing in it that would steer the terminal. */
    public void printCut(String text) {
        StringBuilder line = new StringBuilder();
        int used = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            String piece = Character.isISOControl(c) ? " " : String.valueOf(c);
            used += width(piece);
            if (used >= COLUMNS && i + 1 < text.length()) {
                line.append('\u2026');
                break;
            }
            line.append(piece);
        }
        out.println(line.toString().stripTrailing());
    }

    /** A command, which no line break may tear apart. */
    public void printWhole(String text) {
        out.println(look.apply(text));
    }

    private static int width(String text) {
        return text.codePoints().map(c -> isWide(c) ? 2 : 1).sum();
    }

    private static boolean isWide(int c) {
        return c >= 0x1100
                && (c <= 0x115f
                        || c >= 0x2e80 && c <= 0xa4cf
                        || c >= 0xac00 && c <= 0xd7a3
                        || c >= 0xf900 && c <= 0xfaff
                        || c >= 0xfe30 && c <= 0xfe6f
                        || c >= 0xff00 && c <= 0xff60
                        || c >= 0x20000 && c <= 0x3fffd);
    }
}
