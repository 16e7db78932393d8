package dev.lacuna.core.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes a pickle of protocol 4 bit by bit, the way Python's pickler does: everything into the memo, containers filled by
 * batches of a thousand, frames of some 64 KiB. The caller says what begins and ends.
 */
final class PickleWriter {
    private static final int FRAME_BYTES = 64 * 1024;

    private final OutputStream out;
    private final ByteArrayOutputStream frame = new ByteArrayOutputStream(2 * FRAME_BYTES);
    private final Map<String, Integer> strings = new HashMap<>();
    private int memo;
    private long written;

    PickleWriter(OutputStream out) throws IOException {
        this.out = out;
        out.write(0x80);
        out.write(4);
        written = 2;
    }

    long written() {
        return written + frame.size();
    }

    void beginDict() {
        frame.write('}');
        memoize();
        frame.write('(');
    }

    void endDict() throws IOException {
        frame.write('u');
        flushWhenLong();
    }

    /** Returns the list's number in the memo. */
    int emptyList() {
        frame.write(']');
        return memoize();
    }

    void beginItems() {
        frame.write('(');
    }

    void endItems() throws IOException {
        frame.write('e');
        flushWhenLong();
    }

    /** The item before becomes the only one of the list before it. */
    void endOneItem() {
        frame.write('a');
    }

    void get(int number) {
        if (number < 256) {
            frame.write('h');
            frame.write(number);
        } else {
            frame.write('j');
            little(number, 4);
        }
    }

    /** Number in the memo of what was kept last. */
    int last() {
        return memo - 1;
    }

    void text(String text) {
        Integer known = strings.get(text);
        if (known != null) {
            get(known);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        frame.write(0x8C);
        frame.write(utf8.length);
        frame.writeBytes(utf8);
        strings.put(text, memoize());
    }

    void whole(long value) {
        if (value >= 0 && value < 1 << 8) {
            frame.write('K');
            frame.write((int) value);
        } else if (value >= 0 && value < 1 << 16) {
            frame.write('M');
            little(value, 2);
        } else if (value == (int) value) {
            frame.write('J');
            little(value, 4);
        } else {
            int bytes = (Long.SIZE - Long.numberOfLeadingZeros(value)) / 8 + 1;
            frame.write(0x8A);
            frame.write(Math.min(Long.BYTES, bytes));
            little(value, Math.min(Long.BYTES, bytes));
        }
    }

    void truth(boolean value) {
        frame.write(value ? 0x88 : 0x89);
    }

    /** A pair of numbers as a tuple. */
    void pair(long first, long second) {
        whole(first);
        whole(second);
        frame.write(0x86);
        memoize();
    }

    void stop() throws IOException {
        frame.write('.');
        flush();
    }

    private int memoize() {
        frame.write(0x94);
        return memo++;
    }

    private void little(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            frame.write((int) (value >>> 8 * i));
        }
    }

    private void flushWhenLong() throws IOException {
        if (frame.size() >= FRAME_BYTES) {
            flush();
        }
    }

    private void flush() throws IOException {
        int length = frame.size();
        out.write(0x95);
        for (int i = 0; i < Long.BYTES; i++) {
            out.write((int) ((long) length >>> 8 * i));
        }
        frame.writeTo(out);
        frame.reset();
        written += length + 9;
    }
}
