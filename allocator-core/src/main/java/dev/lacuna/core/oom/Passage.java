package dev.lacuna.core.oom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Neighbouring lines of one writer, joined without white space: in that form a message reads the same however it was
 * wrapped, indented or quoted. Every character keeps its offset in the input. Bounded: the reader drops what it has
 * judged.
 */
final class Passage {
    private final OptionalInt rank;
    private final StringBuilder text = new StringBuilder();
    private long[] offsets = new long[1024];
    private final BitSet spaceBefore = new BitSet();
    /** Starts of lines: index in the text, and line number. */
    private final List<long[]> lines = new ArrayList<>();

    private String lower = "";

    Passage(OptionalInt rank) {
        this.rank = rank;
    }

    /** Rank of the writer. */
    OptionalInt rank() {
        return rank;
    }

    /** Number of characters held. */
    int length() {
        return text.length();
    }

    /** Adds a line behind the others. */
    void add(CleanLine line) {
        lines.add(new long[] {text.length(), line.number()});
        boolean space = true;
        MappedText from = line.text();
        for (int i = line.body(); i < from.length(); i++) {
            char c = from.charAt(i);
            if (isSpace(c)) {
                space = true;
                continue;
            }
            if (text.length() == offsets.length) {
                offsets = Arrays.copyOf(offsets, offsets.length * 2);
            }
            offsets[text.length()] = from.offset(i);
            spaceBefore.set(text.length(), space);
            text.append(c);
            space = false;
        }
        lower = "";
    }

    /** The whole text in lower case, same length as the text. */
    String lower() {
        if (lower.length() != text.length()) {
            lower = lowerCase(text);
        }
        return lower;
    }

    /** The text in its own case. */
    String text(int start, int end) {
        return text.substring(start, end);
    }

    /** The text with single spaces where the input had any white space. */
    String spaced(int start, int end) {
        StringBuilder out = new StringBuilder(end - start + 32);
        for (int i = start; i < end; i++) {
            if (i > start && spaceBefore.get(i)) {
                out.append(' ');
            }
            out.append(text.charAt(i));
        }
        return out.toString();
    }

    /** Offset in the input of the character at i. */
    long offset(int i) {
        return offsets[i];
    }

    /** Line of the input that the character at i stands on. */
    long line(int i) {
        return lines.get(lineIndex(i))[1];
    }

    /** Whether a line begins at i. */
    boolean lineStart(int i) {
        return lines.get(lineIndex(i))[0] == i;
    }

    /** Index of the last line that begins at or before i. */
    private int lineIndex(int i) {
        int low = 0;
        int high = lines.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (lines.get(middle)[0] <= i) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Drops the first n characters. */
    void dropFirst(int n) {
        text.delete(0, n);
        System.arraycopy(offsets, n, offsets, 0, text.length());
        BitSet rest = spaceBefore.get(n, n + text.length());
        spaceBefore.clear();
        spaceBefore.or(rest);
        long lineOfFirst = line(n);
        lines.removeIf(start -> start[0] < n);
        lines.replaceAll(start -> new long[] {start[0] - n, start[1]});
        if (lines.isEmpty() || lines.get(0)[0] > 0) {
            lines.add(0, new long[] {0, lineOfFirst});
        }
        lower = "";
    }

    private static boolean isSpace(char c) {
        return c <= ' '
                || Character.isWhitespace(c)
                || c == '\u00a0'
                || c == '\u200b'
                || c == '\ufeff'
                || c == '\u202f';
    }

    /** Lower case that keeps the length: the few letters whose lower case is longer stay as they are. */
    private static String lowerCase(StringBuilder text) {
        String whole = text.toString();
        String lowered = whole.toLowerCase(Locale.ROOT);
        if (lowered.length() == whole.length()) {
            return lowered;
        }
        StringBuilder out = new StringBuilder(whole.length());
        for (int i = 0; i < whole.length(); i++) {
            out.append(Character.toLowerCase(whole.charAt(i)));
        }
        return out.toString();
    }
}
