package dev.lacuna.app.cli;

import dev.lacuna.core.trace.AllocationTrace;
import dev.lacuna.core.trace.TraceReader;
import java.io.IOException;
import java.io.InputStream;

/** Refuses every trace but those that tell of several devices: for whoever asked for one of them. */
final class OneDeviceReader implements TraceReader {
    private final TraceReader several;

    /** Refuses what this reader does not know. */
    OneDeviceReader(TraceReader several) {
        this.several = several;
    }

    @Override
    public String format() {
        return "";
    }

    @Override
    public boolean recognises(String head) {
        return !several.recognises(head);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        throw new IOException(CliTexts.text("replay.one.device"));
    }
}
