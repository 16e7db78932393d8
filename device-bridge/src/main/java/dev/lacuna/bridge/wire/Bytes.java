package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.BridgeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Little-endian fields of a record, each number checked as it is read. The memory may be written by another process at
 * the same time; {@link #acquire} orders what follows it, everything else is a plain read.
 */
final class Bytes {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer buffer;
    private final int base;
    private final OddFields odd;

    /** Fields relative to {@code base}; the buffer's position and limit are not used. */
    Bytes(ByteBuffer buffer, int base) {
        this(buffer, base, OddFields.REFUSED);
    }

    /** The same where this becomes of numbers that cannot be. */
    Bytes(ByteBuffer buffer, int base, OddFields odd) {
        this.buffer = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.base = base;
        this.odd = odd;
    }

    static BridgeException unreadable(String message) {
        return new BridgeException(BridgeException.Reason.UNREADABLE, message);
    }

    long u64(Field field) {
        return buffer.getLong(base + field.offset());
    }

    int u8(Field field) {
        return Byte.toUnsignedInt(buffer.get(base + field.offset()));
    }

    int u32(Field field) {
        return buffer.getInt(base + field.offset());
    }

    /** A 64-bit number that is not above 2^63 − 1. */
    long positive(Field field) throws BridgeException {
        long value = u64(field);
        return value < 0
                ? odd.instead(field, 0, field.name() + " is out of range: " + Long.toUnsignedString(value))
                : value;
    }

    /** A 32-bit number between these, inclusive. */
    int between(Field field, int low, int high) throws BridgeException {
        long value = Integer.toUnsignedLong(u32(field));
        return value < low || value > high
                ? (int) odd.instead(field, low, field.name() + " is " + value + ", not between " + low + " and " + high)
                : (int) value;
    }

    /** A number that must be exactly this one. */
    void exactly(Field field, long expected) throws BridgeException {
        long value = field.size() == Long.BYTES ? u64(field) : Integer.toUnsignedLong(u32(field));
        if (value != expected) {
            odd.instead(
                    field, expected, field.name() + " is " + Long.toUnsignedString(value) + ", expected " + expected);
        }
    }

    /** NUL-terminated text in a field of fixed size. */
    String text(Field field) {
        byte[] raw = copy(field.offset(), field.size());
        int length = 0;
        while (length < raw.length && raw[length] != 0) {
            length++;
        }
        return printable(raw, length);
    }

    /** The first {@code length} bytes as text; what could play tricks with a terminal becomes U+FFFD. */
    static String printable(byte[] raw, int length) {
        String text = new String(raw, 0, length, StandardCharsets.UTF_8);
        return text.codePoints()
                .map(c -> Character.isISOControl(c) && c != '\n' && c != '\t' ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    byte[] copy(int offset, int length) {
        byte[] out = new byte[length];
        buffer.get(base + offset, out);
        return out;
    }

    void copy(int offset, byte[] out, int from, int length) {
        buffer.get(base + offset, out, from, length);
    }

    /** A 64-bit field; nothing after this in program order is read before it. */
    long acquire(Field field) {
        return (long) LONGS.getAcquire(buffer, base + field.offset());
    }

    int acquireInt(Field field) {
        return (int) INTS.getAcquire(buffer, base + field.offset());
    }

    /** A 64-bit field, read after everything before this in program order. */
    long afterwards(Field field) {
        VarHandle.acquireFence();
        return (long) LONGS.getAcquire(buffer, base + field.offset());
    }
}
