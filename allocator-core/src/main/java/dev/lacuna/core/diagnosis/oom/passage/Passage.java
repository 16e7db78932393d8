package dev.lacuna.core.diagnosis.oom.passage;

import dev.lacuna.core.diagnosis.oom.line.CleanLine;
import dev.lacuna.core.diagnosis.oom.line.LogTime;
import dev.lacuna.core.diagnosis.oom.line.MappedText;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Neighbouring lines of one writer, joined without white space: in that form a message reads the same however it was
 * wrapped, indented or quoted. Every character keeps its offset in the input. Bounded: the reader drops what it has
 * judged.
 */
public final class Passage {
    private static final int TIME_REACH = 4;

    /** Signs of Chinese text and of word processors, and what they stand for. */
    private static final String FULL_WIDTH = "\u2019\u2018\uff1a\uff0c\uff08\uff09\uff1b\u3002\uff01\uff0f\uff1d";

    private static final String ASCII = "'':,();.!/=";

    private final OptionalInt rank;
    private char[] text = new char[1024];
    /** What stands in {@link #lower()} for every character beyond Latin-1. */
    public static final char FOREIGN = 1;

    /** The text in lower case; what is not Latin-1 becomes {@link #FOREIGN}. */
    private byte[] lowerBytes = new byte[1024];

    private long[] offsets = new long[1024];
    private int length;
    private final BitSet spaceBefore = new BitSet();
    /** Starts of lines: index in the text, and line number. */
    private final List<long[]> lines = new ArrayList<>();
    /** What stands before each of these lines and may tell the time; empty where too short. */
    private final List<String> prefixes = new ArrayList<>();

    private String lower = "";

    public Passage(OptionalInt rank) {
        this.rank = rank;
    }

    /** Rank of the writer. */
    OptionalInt rank() {
        return rank;
    }

    /** Number of characters held. */
    public int length() {
        return length;
    }

    /** Adds a line behind the others. */
    public void add(CleanLine line) {
        lines.add(new long[] {length, line.number()});
        MappedText from = line.text();
        String characters = from.toString();
        prefixes.add(line.body() < LogTime.SHORTEST ? "" : characters.substring(0, line.body()));
        reserve(characters.length());
        boolean space = true;
        for (int i = line.body(); i < characters.length(); i++) {
            char c = characters.charAt(i);
            if (isSpace(c)) {
                space = true;
                continue;
            }
            text[length] = c;
            lowerBytes[length] = lowerCase(c);
            offsets[length] = from.offset(i);
            if (space) {
                spaceBefore.set(length);
                space = false;
            }
            length++;
        }
    }

    private void reserve(int more) {
        if (length + more > text.length) {
            int capacity = Math.max(length + more, text.length * 2);
            text = Arrays.copyOf(text, capacity);
            lowerBytes = Arrays.copyOf(lowerBytes, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
        }
    }

    /** The whole text in lower case, same length as the text. */
    public String lower() {
        if (lower.length() != length) {
            lower = new String(lowerBytes, 0, length, StandardCharsets.ISO_8859_1);
        }
        return lower;
    }

    /** Whether these words stand at this index as they were printed, in whatever script. */
    public boolean says(String words, int start) {
        return start + words.length() <= length
                && text(start, start + words.length()).equals(words);
    }

    /** The text in its own case. */
    String text(int start, int end) {
        return new String(text, start, end - start);
    }

    /** The text with single spaces where the input had any white space. */
    String spaced(int start, int end) {
        StringBuilder out = new StringBuilder(end - start + 32);
        for (int i = start; i < end; i++) {
            if (i > start && spaceBefore.get(i)) {
                out.append(' ');
            }
            out.append(text[i]);
        }
        return out.toString();
    }

    /** Offset in the input of the character at i. */
    public long offset(int i) {
        return offsets[i];
    }

    /** Line of the input that the character at i stands on. */
    long line(int i) {
        return lines.get(lineIndex(i))[1];
    }

    /** When the line that the character at i stands on was printed, or one of the few before it. */
    Optional<LocalDateTime> time(int i) {
        int last = lineIndex(i);
        for (int k = last; k >= Math.max(0, last - TIME_REACH); k--) {
            Optional<LocalDateTime> time = prefixes.get(k).isEmpty() ? Optional.empty() : LogTime.in(prefixes.get(k));
            if (time.isPresent()) {
                return time;
            }
        }
        return Optional.empty();
    }

    /** Whether a line begins at i. */
    public boolean lineStart(int i) {
        return lines.get(lineIndex(i))[0] == i;
    }

    /** The line before the one that the character at i stands on, with single spaces; empty ones are passed over. */
    public String lineBefore(int i) {
        int start = (int) lines.get(lineIndex(i))[0];
        return start == 0 ? "" : spaced((int) lines.get(lineIndex(start - 1))[0], start);
    }

    /** The line behind it, likewise. */
    public String lineBehind(int i) {
        int next = lineIndex(i) + 1;
        if (next >= lines.size()) {
            return "";
        }
        int start = (int) lines.get(next)[0];
        if (start >= length) {
            return "";
        }
        int end = lineIndex(start) + 1;
        return spaced(start, end < lines.size() ? (int) lines.get(end)[0] : length);
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
    public void dropFirst(int n) {
        long lineOfFirst = line(n);
        length -= n;
        System.arraycopy(text, n, text, 0, length);
        System.arraycopy(lowerBytes, n, lowerBytes, 0, length);
        System.arraycopy(offsets, n, offsets, 0, length);
        BitSet rest = spaceBefore.get(n, n + length);
        spaceBefore.clear();
        spaceBefore.or(rest);
        int dropped = (int) lines.stream().filter(start -> start[0] < n).count();
        lines.subList(0, dropped).clear();
        String prefixOfFirst = dropped == 0 ? "" : prefixes.get(dropped - 1);
        prefixes.subList(0, dropped).clear();
        lines.replaceAll(start -> new long[] {start[0] - n, start[1]});
        if (lines.isEmpty() || lines.get(0)[0] > 0) {
            lines.add(0, new long[] {0, lineOfFirst});
            prefixes.add(0, prefixOfFirst);
        }
        lower = "";
    }

    private static boolean isSpace(char c) {
        return c <= ' '
                || c >= 0x7f
                        && (Character.isWhitespace(c)
                                || c == '\u00a0'
                                || c == '\u200b'
                                || c == '\ufeff'
                                || c == '\u202f');
    }

    private static byte lowerCase(char c) {
        if (c > 0xff) {
            int sign = FULL_WIDTH.indexOf(c);
            return (byte) (sign < 0 ? FOREIGN : ASCII.charAt(sign));
        }
        return (byte) (c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
}
