package dev.lacuna.app.cli.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import java.io.IOException;
import java.util.List;

/** The document of {@code replay --json}: one object per policy. */
final class ReplayJson {
    private ReplayJson() {}

    static String of(List<PolicyOutcome> rows, boolean withSmallest) {
        return JsonLine.of(json -> {
            json.writeStartArray();
            for (PolicyOutcome row : rows) {
                write(json, row, withSmallest);
            }
            json.writeEndArray();
        });
    }

    /** The document for a trace that cannot be read. */
    static String error(String source, String why) {
        return JsonLine.of(json -> {
            json.writeStartArray();
            json.writeStartObject();
            json.writeStringField("source", source);
            json.writeStringField("error", why);
            json.writeEndObject();
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, PolicyOutcome row, boolean withSmallest) throws IOException {
        ReplayResult result = row.result();
        json.writeStartObject();
        json.writeStringField("policy", result.policy());
        json.writeNumberField("events", result.events());
        json.writeNumberField("peak_requested_bytes", result.peakRequestedBytes());
        json.writeNumberField("peak_allocated_bytes", result.peakAllocatedBytes());
        json.writeNumberField("peak_reserved_bytes", result.peakReservedBytes());
        json.writeNumberField("fragmentation", result.fragmentation());
        json.writeNumberField("ooms", result.ooms());
        json.writeNumberField("retries", result.retries());
        json.writeNumberField("segments", result.segments());
        json.writeNumberField("remaps", result.remaps());
        if (withSmallest && row.smallestBytes().isPresent()) {
            json.writeNumberField("min_capacity_bytes", row.smallestBytes().getAsLong());
        } else if (withSmallest) {
            json.writeNullField("min_capacity_bytes");
        }
        if (result.remapsPerStep().isPresent()) {
            json.writeNumberField("remaps_per_step", result.remapsPerStep().getAsDouble());
        }
        json.writeStringField("opening", result.openingUse().word());
        if (result.truncated()) {
            json.writeBooleanField("truncated", true);
        }
        json.writeEndObject();
    }
}
