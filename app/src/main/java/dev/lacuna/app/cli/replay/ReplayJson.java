package dev.lacuna.app.cli.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.replay.CardNeed;
import dev.lacuna.core.replay.PolicyOutcome;
import dev.lacuna.core.replay.ReplayResult;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** The document of {@code replay --json}: one object per policy. */
final class ReplayJson {
    private ReplayJson() {}

    static String of(List<PolicyOutcome> rows) {
        return JsonLine.of(json -> {
            json.writeStartArray();
            for (PolicyOutcome row : rows) {
                write(json, row);
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

    private static void write(JsonGenerator json, PolicyOutcome row) throws IOException {
        ReplayResult result = row.result();
        json.writeStartObject();
        json.writeStringField("policy", result.policy());
        json.writeNumberField("events", result.events());
        json.writeNumberField("peak_requested_bytes", result.peakRequestedBytes());
        json.writeNumberField("peak_allocated_bytes", result.peakAllocatedBytes());
        json.writeNumberField("peak_reserved_bytes", result.peakReservedBytes());
        json.writeNumberField("gap_bytes", result.gap().bytes());
        json.writeNumberField("fragmentation", result.fragmentation());
        json.writeNumberField("ooms", result.ooms());
        json.writeNumberField("retries", result.retries());
        json.writeNumberField("segments", result.segments());
        json.writeNumberField("remaps", result.remaps());
        json.writeNumberField("flushes", result.flushes().count());
        json.writeNumberField("flushed_bytes", result.flushes().bytes());
        number(json, "first_oom_event", result.firstOom());
        if (row.need().isPresent()) {
            need(json, row.need().get());
        }
        if (result.remapsPerStep().isPresent()) {
            json.writeNumberField("remaps_per_step", result.remapsPerStep().getAsDouble());
        }
        json.writeStringField("opening", result.openingUse().word());
        if (result.recordedCap().isPresent()) {
            json.writeNumberField("recorded_fraction", result.recordedCap().getAsDouble());
        }
        if (result.truncated()) {
            json.writeBooleanField("truncated", true);
        }
        if (result.odd().count() > 0) {
            json.writeNumberField("odd_rows", result.odd().count());
        }
        json.writeEndObject();
    }

    private static void need(JsonGenerator json, CardNeed need) throws IOException {
        number(json, "min_capacity_bytes", need.smallestBytes());
        json.writeNumberField("min_capacity_flushes", need.flushes().count());
        json.writeNumberField("min_capacity_flushed_bytes", need.flushes().bytes());
        json.writeNumberField("spare_reserved_bytes", need.withSpare().peakReservedBytes());
        json.writeNumberField("spare_gap_bytes", need.withSpare().bytes());
    }

    private static void number(JsonGenerator json, String name, OptionalLong number) throws IOException {
        if (number.isPresent()) {
            json.writeNumberField(name, number.getAsLong());
        } else {
            json.writeNullField(name);
        }
    }
}
