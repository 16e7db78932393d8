package dev.lacuna.core.history.open;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A format of traces, which tell no addresses: replayed under PyTorch's stock rules. */
public final class TraceFormat implements RecordingFormat {
    private final TraceReader reader;

    /** Opens what this one reads. */
    public TraceFormat(TraceReader reader) {
        this.reader = reader;
    }

    @Override
    public boolean recognises(FileHead head) {
        return reader.recognises(head);
    }

    @Override
    public List<String> endings() {
        return reader.endings();
    }

    @Override
    public Recording open(InputStream in, String source, OpenRequest request) throws IOException {
        return TraceHistory.read(reader.open(in), source, reader.format(), reader.clocked());
    }
}
