package dev.lacuna.core.trace.csv;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * CSV with the header {@code ts_ns,op,addr,size,thread}: A allocates, F frees, M marks a moment of a step. An address names
 * a block until its F; the thread is that of the host program and is no stream.
 */
public final class CsvTraceReader implements TraceReader {
    static final String HEADER = "ts_ns,op,addr,size,thread";

    /** Enough to know what was meant: other columns behind it are complained about, and by name. */
    private static final String FIRST_COLUMN = "ts_ns,";

    @Override
    public String format() {
        return "trace-csv";
    }

    @Override
    public boolean recognises(FileHead head) {
        return head.text().startsWith(FIRST_COLUMN);
    }

    @Override
    public List<String> endings() {
        return List.of(".csv");
    }

    @Override
    public boolean clocked() {
        return true;
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
