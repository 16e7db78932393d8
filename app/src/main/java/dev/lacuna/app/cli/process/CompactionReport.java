package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.core.base.ByteSize;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * What came of compaction, to be printed.
 *
 * @param device its device's number
 * @param done what the agent says
 */
record CompactionReport(int device, Compaction done) {
    private static final double NANOS_PER_MS = 1e6;

    String text() {
        StringBuilder text = new StringBuilder(CliText.text(
                "compact." + done.state().name().toLowerCase(Locale.ROOT),
                done.moved(),
                ByteSize.format(done.movedBytes()),
                String.format(Locale.ROOT, "%.1f", done.busyNanos() / NANOS_PER_MS),
                done.left(),
                ByteSize.format(done.leftBytes())));
        for (Map.Entry<String, Compaction.Stayed> each : done.stayed().entrySet()) {
            text.append(System.lineSeparator())
                    .append("  ")
                    .append(CliText.text(
                            "compact.stayed",
                            each.getValue().storages(),
                            ByteSize.format(each.getValue().bytes()),
                            CliText.text("compact.stayed." + each.getKey())));
        }
        return text.toString();
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
