package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.ByteSize;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lacuna ps}: training processes on this machine that can be attached to. */
@Command(name = "ps", mixinStandardHelpOptions = true)
public final class PsCommand implements Callable<Integer> {
    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException {
        TrainingProcesses processes = Bridge.processes();
        List<TrainingProcess> living = processes.living();
        if (json) {
            JsonLine.print(System.out, JsonLine.of(generator -> write(generator, living)));
        } else if (living.isEmpty()) {
            System.err.println(CliText.text("ps.none"));
        } else {
            System.out.printf("%8s  %-7s %-9s %-22s %s%n", "PID", "CONTROL", "STATE", "DEVICES", "COMMAND");
            living.forEach(PsCommand::printRow);
        }
        return ExitStatus.DONE.code();
    }

    private static void printRow(TrainingProcess process) {
        String devices = process.devices().stream()
                .map(d -> d.name() + " " + ByteSize.format(d.totalBytes()))
                .collect(Collectors.joining(", "));
        System.out.printf(
                "%8s  %-7s %-9s %-22s %s%n",
                process.id(),
                process.control() ? "yes" : "no",
                process.state().name().toLowerCase(java.util.Locale.ROOT),
                devices,
                process.command());
    }

    private static void write(JsonGenerator json, List<TrainingProcess> living) throws IOException {
        json.writeStartArray();
        for (TrainingProcess process : living) {
            json.writeStartObject();
            if (process.id().namespace().isEmpty()) {
                json.writeNumberField("pid", process.pid());
            } else {
                json.writeNullField("pid");
            }
            json.writeStringField("name", process.id().toString());
            json.writeStringField("start_time", process.startedAt().toString());
            json.writeStringField("command", process.command());
            json.writeArrayFieldStart("devices");
            for (DeviceSummary device : process.devices()) {
                json.writeStartObject();
                json.writeNumberField("device", device.index());
                json.writeStringField("backend", device.name().backend().label());
                json.writeNumberField("index", device.name().index());
                json.writeNumberField("total_bytes", device.totalBytes());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeBooleanField("control", process.control());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
