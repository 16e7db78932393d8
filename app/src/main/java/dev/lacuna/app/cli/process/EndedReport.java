package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.bridge.EndedProcess;
import dev.lacuna.bridge.EndedProcess.Peak;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.ByteSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** {@code ps --ended}: processes that have ended, by the black boxes that they left. */
final class EndedReport {
    private final List<EndedProcess> ended;

    EndedReport(List<EndedProcess> ended) {
        this.ended = ended;
    }

    /** One array. */
    String json() {
        return JsonLine.of(json -> {
            json.writeStartArray();
            for (EndedProcess process : ended) {
                write(json, process);
            }
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, EndedProcess ended) throws IOException {
        json.writeStartObject();
        ProcessJson.training(json, ended.process());
        json.writeStringField("file", ended.process().telemetry().toString());
        json.writeStringField(
                "ending",
                ended.ending().map(ending -> ending.text(Locale.getDefault())).orElse(null));
        bytes(json, "peak_reserved_bytes", ended, Peak::reservedBytes);
        bytes(json, "peak_allocated_bytes", ended, Peak::allocatedBytes);
        json.writeStringField("out_of_memory", ended.lastOutOfMemory().orElse(null));
        json.writeEndObject();
    }

    private static void bytes(JsonGenerator json, String name, EndedProcess ended, ToLongFunction<Peak> of)
            throws IOException {
        if (ended.peak().isPresent()) {
            json.writeNumberField(name, of.applyAsLong(ended.peak().get()));
        } else {
            json.writeNullField(name);
        }
    }

    /** A table, and below it how each ended: that is a sentence. */
    String text() {
        TextTable table = TextTable.ofWords(
                List.of("PID", "STARTED", "PEAK ALLOCATED", "PEAK RESERVED", "OOM", "FILE", "COMMAND"));
        List<String> lines = new ArrayList<>();
        for (EndedProcess one : ended) {
            TrainingProcess process = one.process();
            table.add(List.of(
                    process.id().toString(),
                    process.startedAt().toString(),
                    peak(one, Peak::allocatedBytes),
                    peak(one, Peak::reservedBytes),
                    one.lastOutOfMemory().isPresent() ? "yes" : "no",
                    process.telemetry().toString(),
                    process.command()));
            one.ending()
                    .ifPresent(ending -> lines.add(
                            CliText.text("ps.hint", process.id().toString(), ending.text(Locale.getDefault()))));
        }
        lines.add(0, table.text());
        return String.join("\n", lines);
    }

    private static String peak(EndedProcess ended, ToLongFunction<Peak> of) {
        return ended.peak().map(peak -> ByteSize.format(of.applyAsLong(peak))).orElse("-");
    }
}
