package dev.lacuna.core.trace;

import java.io.IOException;
import java.math.BigDecimal;

/** Writes traces as trace text, one line per row; what it writes, {@link TextTraceReader} reads back. */
public final class TraceTextWriter {
    private final AllocationTrace trace;
    private final Appendable out;

    /** Writes rows of this trace to {@code out}. */
    public TraceTextWriter(AllocationTrace trace, Appendable out) {
        this.trace = trace;
        this.out = out;
    }

    /** Writes the whole trace. */
    public void writeAll() throws IOException {
        writeHeader();
        for (int i = 0; i < trace.size(); i++) {
            out.append(line(i)).append('\n');
        }
    }

    /** Writes what the trace says about its device before the first row. */
    public void writeHeader() throws IOException {
        if (trace.totalBytes().isPresent()) {
            out.append("total ")
                    .append(Long.toString(trace.totalBytes().getAsLong()))
                    .append('\n');
        }
    }

    /** Writes row i, followed by its outcome where that is not empty. */
    public void writeRow(int i, String outcome) throws IOException {
        out.append(line(i));
        if (!outcome.isEmpty()) {
            out.append("\t=> ").append(outcome);
        }
        out.append('\n');
    }

    private String line(int i) {
        TraceOperation operation = trace.operation(i);
        return operation.word()
                + switch (operation) {
                    case ALLOC ->
                        " " + trace.name(trace.block(i)) + " " + trace.bytes(i)
                                + (trace.stream(i) == 0 ? "" : " " + trace.stream(i));
                    case FREE -> " " + trace.name(trace.block(i));
                    case PHASE -> " " + trace.phase(i).label() + (trace.begins(i) ? " begin" : " end");
                    case OTHER -> " " + trace.bytes(i);
                    case FRACTION -> " " + fraction(trace.fraction(i), trace.decimals(i));
                    case EMPTY_CACHE, STATS -> "";
                };
    }

    private static String fraction(double fraction, int decimals) {
        BigDecimal exact = BigDecimal.valueOf(fraction).stripTrailingZeros();
        return exact.setScale(Math.max(exact.scale(), decimals)).toPlainString();
    }
}
