package dev.lacuna.app.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The document of {@code set --json}: what was asked, what holds now, counters before and after. */
final class ChangeJson {
    private ChangeJson() {}

    static String of(Change change, Reply reply) {
        return JsonLine.of(json -> {
            json.writeStartObject();
            asked(json, change);
            if (reply instanceof Reply.Applied applied) {
                applied(json, applied);
            } else if (reply instanceof Reply.Refused refused) {
                refused(json, refused);
            }
            json.writeEndObject();
        });
    }

    private static void asked(JsonGenerator json, Change change) throws IOException {
        json.writeObjectFieldStart("asked");
        json.writeNumberField("device", change.device());
        if (change.optimisation().isPresent()) {
            json.writeStringField("optimisation", change.optimisation().get() ? "on" : "off");
        }
        if (change.fraction().isPresent()) {
            json.writeNumberField("fraction", change.fraction().getAsDouble());
        }
        json.writeBooleanField("force", change.force());
        json.writeEndObject();
    }

    private static void applied(JsonGenerator json, Reply.Applied applied) throws IOException {
        json.writeObjectFieldStart("holds");
        json.writeStringField("optimisation", applied.optimisation() ? "on" : "off");
        json.writeNumberField("fraction", applied.fraction());
        json.writeNumberField("limit_bytes", applied.limitBytes());
        json.writeEndObject();
        counters(json, "before", applied.before());
        counters(json, "after", applied.after());
        json.writeNumberField("unreached_bytes", applied.unreachedBytes());
    }

    private static void counters(JsonGenerator json, String name, Map<String, Long> counters) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> entry : new TreeMap<>(counters).entrySet()) {
            json.writeNumberField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    private static void refused(JsonGenerator json, Reply.Refused refused) throws IOException {
        json.writeNullField("holds");
        json.writeObjectFieldStart("error");
        json.writeStringField("code", refused.code());
        json.writeStringField("text", refused.text());
        if (refused.lowestSafeFraction().isPresent()) {
            json.writeNumberField(
                    "lowest_safe_fraction", refused.lowestSafeFraction().getAsDouble());
        }
        json.writeEndObject();
    }
}
