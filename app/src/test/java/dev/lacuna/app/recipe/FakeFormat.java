package dev.lacuna.app.recipe;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What somebody writes who adds a format of traces, here a size a line: this file. */
public final class FakeFormat implements TraceReader {
    private static final String BEGINS = "fake trace";

    @Override
    public String format() {
        return "fake-format";
    }

    @Override
    public boolean recognises(FileHead head) {
        return head.text().startsWith(BEGINS);
    }

    @Override
    public List<String> endings() {
        return List.of(".fake");
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        new String(in.readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .forEach(line -> trace.free(trace.alloc(Long.parseLong(line), 0)));
        return trace.build();
    }
}
