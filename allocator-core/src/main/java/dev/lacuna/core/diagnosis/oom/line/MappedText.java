package dev.lacuna.core.diagnosis.oom.line;

import java.util.Arrays;

/**
 * Text each of whose characters remembers its offset in the input. Most lines are taken as they stand, and then need no
 * more than the offset of their first character.
 */
public final class MappedText implements CharSequence {
    private final long base;
    private String whole;
    private StringBuilder built;
    /** Offsets from the base; null for text that is taken as it stands. */
    private int[] distances;

    private MappedText(long base, String whole) {
        this.base = base;
        this.whole = whole;
    }

    /** Text taken as it stands at this offset. */
    static MappedText asItStands(String text, long offset) {
        return new MappedText(offset, text);
    }

    /** Empty text to which characters of a line at this offset are appended. */
    static MappedText building(long offset, int capacity) {
        MappedText text = new MappedText(offset, null);
        text.built = new StringBuilder(capacity);
        text.distances = new int[Math.max(16, capacity)];
        return text;
    }

    /** Appends a character that stands this far behind the base. */
    void append(char c, int distance) {
        int length = built.length();
        if (length == distances.length) {
            distances = Arrays.copyOf(distances, length * 2);
        }
        distances[length] = distance;
        built.append(c);
    }

    /** Ends the building. */
    MappedText built() {
        whole = built.toString();
        built = null;
        return this;
    }

    /** Offset that distances count from. */
    long base() {
        return base;
    }

    /** Offset in the input of character i. */
    public long offset(int i) {
        return base + (distances == null ? i : distances[i]);
    }

    @Override
    public int length() {
        return whole.length();
    }

    @Override
    public char charAt(int i) {
        return whole.charAt(i);
    }

    @Override
    public String subSequence(int start, int end) {
        return whole.substring(start, end);
    }

    @Override
    public String toString() {
        return whole;
    }
}
