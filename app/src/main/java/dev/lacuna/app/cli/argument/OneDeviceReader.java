package dev.lacuna.app.cli.argument;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Refuses every trace but those that tell of several devices: for whoever asked for one of them. */
public final class OneDeviceReader implements TraceReader {
    private final TraceReader several;

    /** Refuses what this reader does not know. */
    public OneDeviceReader(TraceReader several) {
        this.several = several;
    }

    @Override
    public String format() {
        return "";
    }

    @Override
    public boolean recognises(FileHead head) {
        return !several.recognises(head);
    }

    @Override
    public List<String> endings() {
        return List.of();
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        throw new IOException(CliText.text("replay.one.device"));
    }
}
