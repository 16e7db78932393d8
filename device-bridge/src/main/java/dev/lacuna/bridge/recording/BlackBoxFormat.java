package dev.lacuna.bridge.recording;

import dev.lacuna.bridge.wire.TelemetryCopy;
import dev.lacuna.core.history.OpenRequest;
import dev.lacuna.core.history.Recording;
import dev.lacuna.core.history.RecordingFormat;
import dev.lacuna.core.history.RecordingNotice;
import dev.lacuna.core.history.TraceHistory;
import dev.lacuna.core.trace.TextTraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Opens the black boxes of dead processes as recordings. */
public final class BlackBoxFormat implements RecordingFormat {
    /** What a recording from one calls its format. */
    public static final String NAME = "lacuna-black-box";

    @Override
    public boolean recognises(byte[] head) {
        return BlackBox.recognises(new String(head, StandardCharsets.ISO_8859_1));
    }

    @Override
    public Recording open(InputStream in, String source, OpenRequest request) throws IOException {
        TelemetryCopy box = BlackBox.read(in);
        request.check();
        Recording read = TraceHistory.read(new TextTraceReader().open(BlackBox.text(box)), source, NAME, true);
        long earlier = box.events().size() == 0 ? 0 : box.events().firstSequence();
        return earlier == 0
                ? read
                : read.with(new RecordingNotice(
                        RecordingNotice.Kind.LOST_EVENTS, RecordingNotice.WHOLE_FILE, Long.toString(earlier)));
    }
}
