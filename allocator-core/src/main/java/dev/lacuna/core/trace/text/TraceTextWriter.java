package dev.lacuna.core.trace.text;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Writes traces as trace text, one line per row; what it writes, {@link TextTraceReader} reads back. Blocks that have no name
 * are called by their place among the requests: b0, b1 and so on. It remembers the names of blocks that are live, no more.
 */
public final class TraceTextWriter {
    private final Appendable out;
    private String[] names = new String[256];
    private long requests;

    /** Writes to {@code out}, rows in the order of the trace. */
    public TraceTextWriter(Appendable out) {
        this.out = out;
    }

    /** Writes a whole trace. */
    public void writeAll(TraceSource trace) throws IOException {
        try (TraceCursor cursor = trace.open()) {
            TraceChunk rows = TraceChunk.named();
            boolean more = cursor.next(rows);
            writeHeader(cursor.totalBytes());
            for (; more; more = cursor.next(rows)) {
                for (int row = 0; row < rows.size(); row++) {
                    writeRow(rows, row, "");
                }
            }
        }
    }

    /** Writes what the trace says about its device before the first row. */
    public void writeHeader(OptionalLong totalBytes) throws IOException {
        if (totalBytes.isPresent()) {
            out.append("total ").append(Long.toString(totalBytes.getAsLong())).append('\n');
        }
    }

    /** Writes a row, followed by its outcome where that is not empty. */
    public void writeRow(TraceChunk rows, int row, String outcome) throws IOException {
        out.append(line(rows, row));
        if (!outcome.isEmpty()) {
            out.append("\t=> ").append(outcome);
        }
        out.append('\n');
    }

    private String line(TraceChunk rows, int i) {
        EventKind operation = rows.operation(i);
        return TraceWords.of(operation)
                + switch (operation) {
                    case ALLOC ->
                        " " + named(rows, i) + " " + rows.bytes(i) + (rows.stream(i) == 0 ? "" : " " + rows.stream(i));
                    case FREE -> " " + names[rows.block(i)];
                    case PHASE -> " " + rows.phase(i).label() + (rows.begins(i) ? " begin" : " end");
                    case OUTSIDE -> " " + rows.bytes(i);
                    case LIMIT -> " " + fraction(rows.fraction(i), rows.decimals(i));
                    default -> "";
                };
    }

    private String named(TraceChunk rows, int i) {
        int block = rows.block(i);
        if (block >= names.length) {
            names = Arrays.copyOf(names, Math.max(block + 1, names.length * 2));
        }
        String name = rows.name(i).orElse("b" + requests);
        names[block] = name;
        requests++;
        return name;
    }

    /** A fraction as trace text writes it: digits and a point, no exponent. */
    public static String plain(double fraction) {
        return fraction(fraction, 0);
    }

    private static String fraction(double fraction, int decimals) {
        BigDecimal exact = BigDecimal.valueOf(fraction).stripTrailingZeros();
        return exact.setScale(Math.max(exact.scale(), decimals)).toPlainString();
    }
}
