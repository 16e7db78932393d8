package dev.lacuna.bridge.recording;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.wire.TelemetryCopy;
import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.trace.record.RecordedProcess;
import dev.lacuna.core.trace.record.RecordingInMemory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A telemetry file as a trace: the last events of a process, and what it held before them. */
final class BlackBox {
    /** What its name ends in. */
    static final String ENDING = ".mem";

    private BlackBox() {}

    /** Whether content that begins like this is one. */
    static boolean recognises(FileHead head) {
        return head.text().startsWith(TelemetryCopy.MAGIC);
    }

    /** The trace text of its device that told most. */
    static InputStream text(TelemetryCopy box) {
        RecordedProcess process = new RecordedProcess(
                box.header().pid(), box.header().command(), box.header().startedAt());
        String text = RecordingInMemory.of(process, box.counters(), box.events());
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads one to its end.
     *
     * @throws IOException when it is damaged or cut; the message says how
     */
    static TelemetryCopy read(InputStream in) throws IOException {
        try {
            return TelemetryCopy.read(in);
        } catch (BridgeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
