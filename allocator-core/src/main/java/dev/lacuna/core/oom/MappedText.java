package dev.lacuna.core.oom;

import java.util.Arrays;

/** Text each of whose characters remembers its offset in the input. */
final class MappedText implements CharSequence {
    private final StringBuilder text;
    private long[] offsets;

    MappedText(int capacity) {
        text = new StringBuilder(capacity);
        offsets = new long[Math.max(16, capacity)];
    }

    /** Appends a character that stands at this offset of the input. */
    void append(char c, long offset) {
        if (text.length() == offsets.length) {
            offsets = Arrays.copyOf(offsets, offsets.length * 2);
        }
        offsets[text.length()] = offset;
        text.append(c);
    }

    /** Offset in the input of character i. */
    long offset(int i) {
        return offsets[i];
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int i) {
        return text.charAt(i);
    }

    /** The characters alone. */
    @Override
    public String subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
