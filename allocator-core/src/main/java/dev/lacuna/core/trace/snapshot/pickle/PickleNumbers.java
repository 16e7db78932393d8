package dev.lacuna.core.trace.snapshot.pickle;

import java.io.IOException;
import java.math.BigInteger;

/** The numbers of a pickle: what fits becomes a long, what does not stays whole, what no snapshot holds is refused. */
final class PickleNumbers {
    /** Far wider than any address. */
    private static final int WIDEST_BYTES = 64;

    private static final int MOST_DIGITS = 160;

    private final PickleInput in;
    private final PickleStack stack;
    private final Budget budget;

    PickleNumbers(PickleInput in, PickleStack stack, Budget budget) {
        this.in = in;
        this.stack = stack;
        this.budget = budget;
    }

    void push(long value) throws IOException {
        stack.push(value);
    }

    void push(double value) throws IOException {
        stack.push(value);
    }

    /** A number of this many bytes, least significant first, two's complement; none at all is 0. */
    void pushLong(long bytes) throws IOException {
        if (bytes > WIDEST_BYTES) {
            throw new SnapshotFormatException(SnapshotProblem.TOO_LONG, stack.position(), "");
        }
        if (bytes == 0) {
            push(0);
            return;
        }
        long value = 0;
        int low = (int) Math.min(bytes, Long.BYTES);
        for (int i = 0; i < low; i++) {
            value |= (long) in.unsignedByte() << 8 * i;
        }
        if (bytes <= Long.BYTES) {
            int unused = Long.SIZE - 8 * low;
            push(value << unused >> unused);
        } else {
            push(new BigInteger(reversed(in.bytes(bytes - Long.BYTES)))
                    .shiftLeft(Long.SIZE)
                    .add(new BigInteger(Long.toUnsignedString(value))));
        }
    }

    /** Protocol 0: a number, or a boolean written as 00 or 01. */
    void pushIntLine(String line) throws IOException {
        switch (line) {
            case "00" -> stack.push(Boolean.FALSE);
            case "01" -> stack.push(Boolean.TRUE);
            default -> push(parsed(line));
        }
    }

    /** Protocol 0: a number, with or without Python 2's L behind it. */
    void pushLongLine(String line) throws IOException {
        push(parsed(line.endsWith("L") ? line.substring(0, line.length() - 1) : line));
    }

    void pushFloatLine(String line) throws IOException {
        try {
            push(Double.parseDouble(line));
        } catch (NumberFormatException e) {
            throw stack.malformed();
        }
    }

    /** The number of a place in the memo. */
    long index(String line) throws IOException {
        BigInteger value = parsed(line);
        if (value.bitLength() > Integer.SIZE) {
            throw stack.malformed();
        }
        return value.longValue();
    }

    private void push(BigInteger value) throws IOException {
        if (value.bitLength() < Long.SIZE) {
            push(value.longValue());
        } else {
            budget.charge(3 * Budget.OBJECT_BYTES, stack.position());
            stack.push(value);
        }
    }

    private BigInteger parsed(String line) throws IOException {
        if (line.length() > MOST_DIGITS) {
            throw new SnapshotFormatException(SnapshotProblem.TOO_LONG, stack.position(), "");
        }
        try {
            return new BigInteger(line);
        } catch (NumberFormatException e) {
            throw stack.malformed();
        }
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] out = new byte[bytes.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = bytes[out.length - 1 - i];
        }
        return out;
    }
}
