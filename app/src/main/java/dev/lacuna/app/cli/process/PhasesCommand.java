package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.NamedPhases.Phase;
import dev.lacuna.core.base.ByteSize;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lacuna phases PID}: what a process does by name, and the memory that it takes for it. */
@Command(name = "phases", mixinStandardHelpOptions = true)
public final class PhasesCommand implements Callable<Integer> {
    private static final double NS_A_SECOND = 1e9;

    @Mixin
    private ProcessRequest request;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    @Override
    public Integer call() throws BridgeException {
        NamedPhases found;
        int device;
        try (AttachedProcess process = request.open()) {
            device = asked.in(process.sample().devices());
            found = Answers.given(process.phases(device));
        }
        request.answer(
                out -> {
                    out.writeNumberField("device", device);
                    out.writeStringField("by", found.looked() ? "looks" : "marks");
                    out.writeArrayFieldStart("phases");
                    for (Phase phase : found.phases()) {
                        write(out, phase);
                    }
                    out.writeEndArray();
                },
                found.phases().isEmpty()
                        ? Stream.of(CliText.text("phases.none"))
                        : Stream.of(table(found), CliText.text(found.looked() ? "phases.looks" : "phases.marks")));
        return ExitStatus.DONE.code();
    }

    private static void write(JsonGenerator out, Phase phase) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", phase.name());
        out.writeBooleanField("open", phase.open());
        out.writeNumberField("time_ns", phase.timeNs());
        out.writeNumberField("peak_allocated_bytes", phase.peakAllocatedBytes());
        out.writeNumberField("peak_reserved_bytes", phase.peakReservedBytes());
        out.writeNumberField("gap_bytes", phase.gapBytes());
        out.writeEndObject();
    }

    private static String table(NamedPhases found) {
        TextTable table = TextTable.ofFigures();
        table.add(List.of(
                CliText.text("phases.name"),
                CliText.text("phases.allocated"),
                CliText.text("phases.reserved"),
                CliText.text("phases.gap"),
                CliText.text("phases.time")));
        for (Phase phase : found.phases()) {
            table.add(List.of(
                    phase.open() ? phase.name() + " *" : phase.name(),
                    ByteSize.format(phase.peakAllocatedBytes()),
                    ByteSize.format(phase.peakReservedBytes()),
                    ByteSize.format(phase.gapBytes()),
                    String.format(Locale.ROOT, "%.2f s", phase.timeNs() / NS_A_SECOND)));
        }
        return table.text();
    }
}
