package dev.lacuna.core.trace.csv;

import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;

/**
 * CSV with the header {@code ts_ns,op,addr,size,thread}: A allocates, F frees, M marks a moment of a step. An address names
 * a block until its F; the thread is that of the host program and is no stream.
 */
public final class CsvTraceReader implements TraceReader {
    static final String HEADER = "ts_ns,op,addr,size,thread";

    @Override
    public String format() {
        return "csv";
    }

    @Override
    public boolean recognises(String head) {
        String first = head.lines().findFirst().orElse("").strip();
        return first.equals(HEADER) || first.equals("\uFEFF" + HEADER);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return AllocationTrace.of(new CsvTraceCursor(new TraceLines(in), false));
    }

    @Override
    public TraceCursor open(InputStream in) {
        return new CsvTraceCursor(new TraceLines(in), true);
    }
}
