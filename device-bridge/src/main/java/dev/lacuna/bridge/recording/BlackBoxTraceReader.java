package dev.lacuna.bridge.recording;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceReader;
import dev.lacuna.core.trace.text.TextTraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Reads the black box of a process as a trace. What is wrong with one leaves as an {@link IOException} that says what. */
public final class BlackBoxTraceReader implements TraceReader {
    @Override
    public String format() {
        return "black-box";
    }

    @Override
    public boolean recognises(FileHead head) {
        return BlackBox.recognises(head);
    }

    @Override
    public List<String> endings() {
        return List.of(BlackBox.ENDING);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return new TextTraceReader().read(BlackBox.text(BlackBox.read(in)));
    }
}
