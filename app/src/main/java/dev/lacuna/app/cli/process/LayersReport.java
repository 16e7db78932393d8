package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.BarsImage;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The layers of a device as a table, or as one JSON document that is a profile for planners too (docs/formats.md). */
final class LayersReport {
    private static final double NS_PER_MS = 1e6;

    private LayersReport() {}

    static String text(LayerPlaces places, ProfileReading reading) {
        LayerProfile profile = reading.profile();
        if (reading.measuring() && profile.stepNs() == 0 && holdsNothing(places)) {
            return CliText.text("layers.first", places.layers().size());
        }
        TextTable table = TextTable.ofWords(
                List.of("LAYER", "DOES", "DEVICE", "MOVING", "HOST", "SAVES", "INPUT", "FORWARD", "BACKWARD", "CAN"));
        for (int n = 0; n < places.layers().size(); n++) {
            table.add(row(places.layers().get(n), measured(profile, n), places.reported()));
        }
        String summary = CliText.text(
                "layers.summary",
                String.valueOf(places.layers().size()),
                places.policy().map(LayerPolicy::letters).or(places::rule).orElse("-"),
                milliseconds(profile.stepNs()),
                ByteSize.format(profile.peakAllocatedBytes()),
                ByteSize.format(profile.otherBytes()));
        String state = reading.measuring() ? "\n" + CliText.text("layers.measuring") : "";
        return table.text() + "\n" + summary + state;
    }

    /** Before the first question nobody counts whose bytes are where. */
    private static boolean holdsNothing(LayerPlaces places) {
        return places.layers().stream()
                .allMatch(place -> place.deviceBytes() + place.outBytes() + place.hostBytes() + place.inBytes() == 0);
    }

    /** What of each layer is where, for a spreadsheet. */
    static Table table(LayerPlaces places) {
        return ChartFiles.table(
                List.of("layer", "does", "#device_bytes", "#out_bytes", "#host_bytes", "#in_bytes"),
                places.layers().stream()
                        .map(place -> List.of(
                                place.name(),
                                word(place.does()),
                                place.deviceBytes(),
                                place.outBytes(),
                                place.hostBytes(),
                                place.inBytes())));
    }

    /** The same as the window's bars show it. */
    static byte[] picture(LayerPlaces places) {
        return BarsImage.png(
                List.of(CliText.text("layers.device"), CliText.text("layers.moving"), CliText.text("layers.host")),
                places.layers().stream()
                        .map(place -> new BarsImage.Bar(
                                place.name(),
                                List.of(place.deviceBytes(), place.outBytes() + place.inBytes(), place.hostBytes())))
                        .toList());
    }

    private static Optional<LayerMeasurement> measured(LayerProfile profile, int number) {
        return number < profile.layers().size() && profile.layers().get(number).steps() > 0
                ? Optional.of(profile.layers().get(number))
                : Optional.empty();
    }

    private static List<String> row(LayerPlace place, Optional<LayerMeasurement> m, boolean reported) {
        return List.of(
                place.name(),
                does(place, reported),
                ByteSize.format(place.deviceBytes()),
                ByteSize.format(place.outBytes() + place.inBytes()),
                ByteSize.format(place.hostBytes()),
                m.map(l -> ByteSize.format(l.savedBytes())).orElse("-"),
                m.map(l -> ByteSize.format(l.inputBytes())).orElse("-"),
                m.map(l -> milliseconds(l.forwardNs())).orElse("-"),
                m.map(l -> milliseconds(l.backwardNs())).orElse("-"),
                m.map(LayersReport::can).orElse("-"));
    }

    private static String does(LayerPlace place, boolean reported) {
        if (!place.why().isEmpty()) {
            return word(place.does()) + " (" + place.why() + ")";
        }
        // Under a policy that keeps it, only a rescue moves what a layer saves.
        boolean rescued = reported && place.asked() == LayerAction.KEEP && place.outBytes() + place.hostBytes() > 0;
        return word(place.does()) + (rescued ? " (" + CliText.text("layers.rescued") + ")" : "");
    }

    private static String can(LayerMeasurement layer) {
        StringBuilder letters = new StringBuilder();
        for (LayerAction action : LayerAction.values()) {
            if (layer.possible().contains(action)) {
                letters.append(action.letter());
            }
        }
        return letters.toString();
    }

    private static String milliseconds(long ns) {
        return String.format(Locale.ROOT, "%.2f ms", ns / NS_PER_MS);
    }

    private static String word(LayerAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    static String json(long pid, int device, LayerPlaces places, ProfileReading reading) {
        return JsonLine.of(json -> {
            LayerProfile profile = reading.profile();
            json.writeStartObject();
            json.writeNumberField("pid", pid);
            json.writeNumberField("device", device);
            json.writeObjectField(
                    "policy", places.policy().map(LayerPolicy::letters).orElse(null));
            json.writeObjectField("rule", places.rule().orElse(null));
            json.writeBooleanField("measuring", reading.measuring());
            json.writeNumberField("step_ns", profile.stepNs());
            json.writeNumberField("peak_allocated_bytes", profile.peakAllocatedBytes());
            json.writeNumberField("limit_bytes", profile.limitBytes());
            json.writeNumberField("spare_bytes", LimitSpare.ofProcess(profile).of(profile.limitBytes()));
            json.writeNumberField("other_bytes", profile.otherBytes());
            json.writeNumberField("link_bytes_per_second", profile.linkBytesPerSecond());
            json.writeArrayFieldStart("layers");
            for (int n = 0; n < places.layers().size(); n++) {
                LayerPlace place = places.layers().get(n);
                layer(
                        json,
                        place,
                        n < profile.layers().size() ? profile.layers().get(n) : unmeasured(place));
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** A layer that is newer than the profile. */
    private static LayerMeasurement unmeasured(LayerPlace place) {
        return new LayerMeasurement(place.name(), 0, 0, 0, 0, 0, 0, 0, Set.of(LayerAction.KEEP));
    }

    private static void layer(JsonGenerator json, LayerPlace place, LayerMeasurement measured) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", place.name());
        json.writeStringField("asked", word(place.asked()));
        json.writeStringField("does", word(place.does()));
        json.writeStringField("why", place.why());
        json.writeNumberField("device_bytes", place.deviceBytes());
        json.writeNumberField("out_bytes", place.outBytes());
        json.writeNumberField("host_bytes", place.hostBytes());
        json.writeNumberField("in_bytes", place.inBytes());
        json.writeNumberField("steps", measured.steps());
        json.writeNumberField("forward_ns", measured.forwardNs());
        json.writeNumberField("backward_ns", measured.backwardNs());
        json.writeNumberField("saved_bytes", measured.savedBytes());
        json.writeNumberField("input_bytes", measured.inputBytes());
        json.writeNumberField("copy_out_ns", measured.copyOutNs());
        json.writeNumberField("copy_in_ns", measured.copyInNs());
        json.writeStringField("possible", can(measured));
        json.writeEndObject();
    }
}
