package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.bridge.Compaction;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What came of compaction, to be printed.
 *
 * @param device its device's number
 * @param done what the agent says
 */
record CompactionReport(int device, Compaction done) {
    Stream<String> lines() {
        Locale locale = Locale.getDefault();
        return Stream.concat(
                Stream.of(done.text(locale)), done.stayedTexts(locale).stream().map(line -> "  " + line));
    }

    void write(JsonGenerator out) throws IOException {
        out.writeNumberField("device", device);
        out.writeStringField("state", done.state().name().toLowerCase(Locale.ROOT));
        out.writeStringField("pace", done.atOnce() ? "at-once" : "gentle");
        out.writeNumberField("moved", done.moved());
        out.writeNumberField("moved_bytes", done.movedBytes());
        out.writeNumberField("left", done.left());
        out.writeNumberField("left_bytes", done.leftBytes());
        out.writeNumberField("busy_ns", done.busyNanos());
        out.writeObjectFieldStart("stayed");
        for (Map.Entry<String, Compaction.Stayed> each : done.stayed().entrySet()) {
            out.writeObjectFieldStart(each.getKey());
            out.writeNumberField("storages", each.getValue().storages());
            out.writeNumberField("bytes", each.getValue().bytes());
            out.writeEndObject();
        }
        out.writeEndObject();
    }
}
