package dev.lacuna.core.trace.snapshot.pickle;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The bytes of a pickle, little endian, counted. What is claimed to follow is only believed once it has been read. */
final class PickleInput {
    /** Longest line of a text protocol: far longer than any number or name. */
    private static final int LONGEST_LINE = 1 << 16;

    /** More bytes no array takes. */
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private static final int PIECE_BYTES = 64 * 1024;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final InputStream in;
    private final Budget budget;
    private final byte[] buffer = new byte[PIECE_BYTES];
    private int at;
    private int end;
    private long consumed;

    PickleInput(InputStream in, Budget budget) {
        this.in = in;
        this.budget = budget;
    }

    /** Offset of the next byte. */
    long position() {
        return consumed + at;
    }

    /** The next byte, 0 … 255. */
    int unsignedByte() throws IOException {
        if (at == end) {
            fill();
        }
        return buffer[at++] & 0xFF;
    }

    /** An unsigned number of this many bytes, 1 … 7. */
    long unsigned(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) unsignedByte() << 8 * i;
        }
        return value;
    }

    int signedInt() throws IOException {
        if (end - at < Integer.BYTES) {
            return (int) unsigned(4);
        }
        int value = (int) INTS.get(buffer, at);
        at += Integer.BYTES;
        return value;
    }

    /** An unsigned number of four bytes. */
    long unsignedInt() throws IOException {
        return Integer.toUnsignedLong(signedInt());
    }

    /** Passes over the next byte if it has been read already and is this one. */
    boolean passIf(int value) {
        boolean passes = at < end && (buffer[at] & 0xFF) == value;
        at += passes ? 1 : 0;
        return passes;
    }

    /** A length of eight bytes. */
    long length() throws IOException {
        long position = position();
        long low = unsigned(4);
        long high = unsigned(4);
        if (high > Integer.MAX_VALUE) {
            throw new SnapshotFormatException(SnapshotProblem.TOO_LONG, position, "");
        }
        return high << 32 | low;
    }

    /** Eight bytes, most significant first. */
    double bigEndianDouble() throws IOException {
        long bits = 0;
        for (int i = 0; i < Double.BYTES; i++) {
            bits = bits << 8 | unsignedByte();
        }
        return Double.longBitsToDouble(bits);
    }

    /** The next {@code length} bytes. */
    byte[] bytes(long length) throws IOException {
        if (length <= end - at) {
            byte[] out = new byte[(int) length];
            System.arraycopy(buffer, at, out, 0, out.length);
            at += out.length;
            return out;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(PIECE_BYTES);
        for (long left = length; left > 0; ) {
            if (at == end) {
                fill();
            }
            int piece = (int) Math.min(left, end - at);
            budget.charge(piece, position());
            if (out.size() > LONGEST_ARRAY - piece) {
                throw new SnapshotFormatException(SnapshotProblem.TOO_LONG, position(), "");
            }
            out.write(buffer, at, piece);
            at += piece;
            left -= piece;
        }
        return out.toByteArray();
    }

    /** Passes over the next {@code length} bytes. */
    void skip(long length) throws IOException {
        for (long left = length; left > 0; ) {
            if (at == end) {
                fill();
            }
            int piece = (int) Math.min(left, end - at);
            at += piece;
            left -= piece;
        }
    }

    /** Text up to the next line feed, which is dropped; each byte is one character. */
    String line() throws IOException {
        long position = position();
        StringBuilder out = new StringBuilder();
        for (int b = unsignedByte(); b != '\n'; b = unsignedByte()) {
            if (out.length() == LONGEST_LINE) {
                throw new SnapshotFormatException(SnapshotProblem.TOO_LONG, position, "");
            }
            out.append((char) b);
        }
        return out.toString();
    }

    /** UTF-8 of this many bytes; what is none becomes the replacement character. */
    String text(long length) throws IOException {
        if (length <= end - at) {
            String text = new String(buffer, at, (int) length, StandardCharsets.UTF_8);
            at += (int) length;
            return text;
        }
        return new String(bytes(length), StandardCharsets.UTF_8);
    }

    private void fill() throws IOException {
        consumed += end;
        at = 0;
        end = 0;
        end = Math.max(0, more());
        if (end == 0) {
            throw new SnapshotFormatException(SnapshotProblem.TRUNCATED, consumed, "");
        }
    }

    private int more() throws IOException {
        try {
            return in.read(buffer);
        } catch (EOFException packedInputEndsEarly) {
            return 0;
        }
    }
}
