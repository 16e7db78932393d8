package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.FoundProcess.UsedDevice;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.TrainingProcess;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A process as {@code ps --json} tells of it. */
final class ProcessJson {
    private ProcessJson() {}

    static void write(JsonGenerator json, ListedProcess listed) throws IOException {
        json.writeStartObject();
        if (listed.training().isPresent()) {
            training(json, listed.training().get());
        } else {
            found(json, listed.found().orElseThrow());
        }
        json.writeStringField("reach", listed.reach().label());
        text(json, "framework", listed.found().flatMap(FoundProcess::framework).map(Framework::toString));
        text(json, "hint", listed.obstacle().map(obstacle -> obstacle.text(Locale.getDefault())));
        json.writeNullField("host");
        if (listed.found().isPresent()) {
            more(json, listed.found().get());
        }
        json.writeEndObject();
    }

    /** Who a process is that tells of itself, or did. */
    static void training(JsonGenerator json, TrainingProcess process) throws IOException {
        if (process.id().namespace().isEmpty()) {
            json.writeNumberField("pid", process.pid());
        } else {
            json.writeNullField("pid");
        }
        json.writeStringField("name", process.id().toString());
        json.writeStringField("start_time", process.startedAt().toString());
        json.writeStringField("command", process.command());
        DevicesJson.write(json, process.devices());
        json.writeBooleanField("control", process.control());
    }

    private static void found(JsonGenerator json, FoundProcess process) throws IOException {
        json.writeNumberField("pid", process.pid());
        json.writeStringField("name", Long.toString(process.pid()));
        json.writeStringField("start_time", process.startedAt().toString());
        json.writeStringField("command", process.command());
        json.writeArrayFieldStart("devices");
        for (UsedDevice device : process.devices()) {
            json.writeStartObject();
            json.writeNullField("device");
            json.writeStringField("backend", device.kind().equals("npu") ? "ascend" : device.kind());
            number(json, "index", device.index());
            number(json, "total_bytes", device.totalBytes());
            number(json, "held_bytes", device.heldBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("control", false);
    }

    private static void more(JsonGenerator json, FoundProcess process) throws IOException {
        json.writeStringField("user", process.user());
        text(json, "python", process.python());
        number(json, "rank", process.job().rank());
        number(json, "world_size", process.job().worldSize());
        text(json, "launcher", process.job().launcher());
        number(json, "child_of", process.childOf());
        text(json, "container", process.container());
    }

    private static void text(JsonGenerator json, String name, Optional<String> value) throws IOException {
        json.writeStringField(name, value.orElse(null));
    }

    private static void number(JsonGenerator json, String name, OptionalInt value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.getAsInt());
        } else {
            json.writeNullField(name);
        }
    }

    private static void number(JsonGenerator json, String name, OptionalLong value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.getAsLong());
        } else {
            json.writeNullField(name);
        }
    }
}
