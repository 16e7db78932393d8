package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.bridge.DeviceSummary;
import java.io.IOException;
import java.util.List;

/** The {@code devices} of a process that tells of itself. */
public final class DevicesJson {
    private DevicesJson() {}

    /** Writes the field. */
    public static void write(JsonGenerator json, List<DeviceSummary> devices) throws IOException {
        json.writeArrayFieldStart("devices");
        for (DeviceSummary device : devices) {
            json.writeStartObject();
            json.writeNumberField("device", device.index());
            json.writeStringField("backend", device.name().backend().label());
            json.writeNumberField("index", device.name().index());
            json.writeNumberField("total_bytes", device.totalBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
