package dev.lacuna.core.trace.line;

import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceProblem;

/** Whole numbers of traces: decimal digits only, no sign, no blanks; what does not fit is refused, never cut. */
public final class TraceNumbers {
    private TraceNumbers() {}

    /** A number of bytes or nanoseconds, 0 … 2^63 − 1. */
    public static long bytes(String word, TraceLines lines) throws TraceFormatException {
        return parse(word, 10, lines);
    }

    /** A stream, 0 … 2^31 − 1. */
    public static int stream(String word, TraceLines lines) throws TraceFormatException {
        long stream = parse(word, 10, lines);
        if (stream > Integer.MAX_VALUE) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
        return (int) stream;
    }

    /** An address of up to 64 bits, hexadecimal without a prefix. */
    public static long address(String word, TraceLines lines) throws TraceFormatException {
        return parse(word, 16, lines);
    }

    private static long parse(String word, int radix, TraceLines lines) throws TraceFormatException {
        // Digits of other scripts are none here, and neither is a sign.
        if (!word.chars().allMatch(c -> c < 0x80 && Character.digit(c, radix) >= 0)) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
        try {
            return radix == 16 ? Long.parseUnsignedLong(word, radix) : Long.parseLong(word, radix);
        } catch (NumberFormatException e) {
            throw lines.failure(TraceProblem.BAD_NUMBER, word);
        }
    }
}
