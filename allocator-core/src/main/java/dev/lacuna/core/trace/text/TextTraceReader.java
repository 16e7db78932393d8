package dev.lacuna.core.trace.text;

import dev.lacuna.core.trace.line.TraceLines;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceOperation;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Trace text: one command per line, {@code #} starts a comment, and what follows a tab and {@code =>} is somebody's expected
 * outcome, which is not part of the trace.
 */
public final class TextTraceReader implements TraceReader {
    static final String TOTAL = "total";

    private static final Set<String> WORDS = Stream.concat(
                    Stream.of(TOTAL), Arrays.stream(TraceOperation.values()).map(TraceOperation::word))
            .collect(Collectors.toUnmodifiableSet());

    @Override
    public String format() {
        return "trace";
    }

    @Override
    public boolean recognises(String head) {
        String first = head.strip();
        if (first.startsWith("\uFEFF")) {
            first = first.substring(1);
        }
        if (first.startsWith("#")) {
            return true;
        }
        return WORDS.contains(first.split("\\s", 2)[0]);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return AllocationTrace.of(new TextTraceCursor(new TraceLines(in), false));
    }

    @Override
    public TraceCursor open(InputStream in) {
        return new TextTraceCursor(new TraceLines(in), true);
    }
}
