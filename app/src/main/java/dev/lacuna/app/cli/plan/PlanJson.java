package dev.lacuna.app.cli.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.method.PredictedGain;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What {@code lacuna plan --json} prints. */
final class PlanJson {
    private final PlanResult result;
    private final PlanningProfile profile;
    private final JsonGenerator json;
    private final Set<PlanPoint.Planned> best;

    private PlanJson(PlanResult result, JsonGenerator json) {
        this.result = result;
        this.profile = result.ground().profile();
        this.json = json;
        this.best = Set.copyOf(result.curve().undominated());
    }

    static String of(PlanResult result) {
        return JsonLine.of(json -> new PlanJson(result, json).write());
    }

    private void write() throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", profile.kind().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("plain" + suffix(), profile.plainTime());
        json.writeNumberField("plain_peak_bytes", profile.plainPeakBytes());
        json.writeNumberField("least_bytes", profile.leastBytes());
        if (result.ground().model().isPresent()) {
            json.writeNumberField("stage", result.ground().stage());
        }
        strings("notes", result.ground().notes());
        json.writeNumberField("time_limit_s", result.limit().toMillis() / 1e3);
        json.writeBooleanField("ended_early", result.curve().endedEarly());
        json.writeArrayFieldStart("points");
        for (PlanPoint point : result.curve().points()) {
            write(point);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("unsuited");
        for (Map.Entry<PlanningMethod, PlanFailure.Reason> each :
                result.unsuited().entrySet()) {
            json.writeStartObject();
            json.writeStringField("method", each.getKey().id());
            json.writeStringField("why", new PlanFailure(each.getValue(), List.of()).text(Locale.getDefault()));
            json.writeEndObject();
        }
        json.writeEndArray();
        writeGains();
        writeChosen();
        writeConflicts();
        json.writeEndObject();
    }

    /** Ratios are all that costs of a graph are good for. */
    private String suffix() {
        return switch (profile.timeUnit()) {
            case MILLISECONDS -> "_time_ms";
            case NANOSECONDS -> "_time_ns";
            case COST -> "_cost";
        };
    }

    private void write(PlanPoint point) throws IOException {
        json.writeStartObject();
        json.writeStringField("method", point.method());
        json.writeNumberField("budget_bytes", point.budgetBytes());
        writeSpare(point);
        json.writeBooleanField("ended_early", point.endedEarly());
        if (point instanceof PlanPoint.Planned planned) {
            write(planned);
        } else if (point instanceof PlanPoint.Failed failed) {
            json.writeStringField(
                    "reason",
                    failed.failure().reason().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            json.writeStringField("error", failed.failure().text(Locale.getDefault()));
        }
        json.writeEndObject();
    }

    /** Where budgets are limits of a process. */
    private void writeSpare(PlanPoint point) throws IOException {
        if (!profile.spare().equals(LimitSpare.NONE)) {
            json.writeNumberField("spare_bytes", profile.spare().of(point.budgetBytes()));
        }
    }

    private void write(PlanPoint.Planned point) throws IOException {
        json.writeNumberField("peak_bytes", point.peakBytes());
        json.writeNumberField(suffix().substring(1), point.time());
        json.writeNumberField("overhead", point.overhead());
        if (point.leastOverhead().isPresent()) {
            json.writeNumberField("least_overhead", point.leastOverhead().getAsDouble());
        } else {
            json.writeNullField("least_overhead");
        }
        if (point.leastOverhead().isPresent()) {
            json.writeNumberField(
                    "gap", Math.max(0, point.overhead() / point.leastOverhead().getAsDouble() - 1));
        }
        json.writeBooleanField("proven", point.proven());
        json.writeBooleanField("undominated", best.contains(point));
        Optional<LayerPolicy> policy = LayerChoice.of(profile, point.choice());
        if (policy.isPresent()) {
            json.writeStringField("layers", policy.get().letters());
        }
        if (point.choice() instanceof PlannedChoice.Graph graph) {
            json.writeStringField("schedule_by", graph.plan().scheduleBy());
            json.writeStringField("bound_by", graph.plan().boundBy());
        }
        if (point.choice() instanceof PlannedChoice.Selective selective) {
            strings("lines", selective.plan().lines());
        }
    }

    private void writeGains() throws IOException {
        if (result.gains().isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("gains_over_full");
        for (Map.Entry<Long, PredictedGain> each : result.gains().entrySet()) {
            json.writeStartObject();
            json.writeNumberField("budget_bytes", each.getKey());
            json.writeNumberField("least", each.getValue().least());
            json.writeNumberField("most", each.getValue().most());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeChosen() throws IOException {
        if (result.chosen().isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("chosen");
        json.writeStringField("method", result.chosen().get().method());
        json.writeNumberField("budget_bytes", result.chosen().get().budgetBytes());
        writeSpare(result.chosen().get());
        write(result.chosen().get());
        json.writeEndObject();
        if (result.written().isPresent()) {
            json.writeStringField("output", result.written().get());
        }
        if (result.saved().isPresent()) {
            json.writeStringField("file", result.saved().get());
        }
        strings("output_notes", result.notes());
    }

    private void writeConflicts() throws IOException {
        if (result.conflicts().isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("conflicts");
        for (SwapConflict conflict : result.conflicts().get()) {
            json.writeStartObject();
            json.writeStringField("id", conflict.id());
            json.writeStringField("severity", conflict.severity().id());
            strings("settings", conflict.settings());
            json.writeStringField("why", conflict.explanation(Locale.getDefault()));
            json.writeStringField("remedy", conflict.remedy(Locale.getDefault()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void strings(String key, List<String> values) throws IOException {
        json.writeArrayFieldStart(key);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
