package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.EndedProcess;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lacuna ps}: processes of this machine that train, and how they can be had. */
@Command(name = "ps", mixinStandardHelpOptions = true)
public final class PsCommand implements Callable<Integer> {
    private static final String ROW = "%8s  %-8s %-7s %-9s %-16s %-22s %s%n";

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--ended")
    private boolean ended;

    @Override
    public Integer call() throws BridgeException {
        return ended ? ended() : living();
    }

    private int ended() throws BridgeException {
        TrainingProcesses processes = Bridge.processes();
        List<EndedProcess> boxes = processes.blackBoxes().stream()
                .map(box -> EndedProcess.read(processes, box))
                .toList();
        if (json) {
            JsonLine.print(System.out, new EndedReport(boxes).json());
        } else if (boxes.isEmpty()) {
            System.err.println(CliText.text("ps.ended.none"));
        } else {
            JsonLine.print(System.out, new EndedReport(boxes).text());
        }
        return ExitStatus.DONE.code();
    }

    private int living() throws BridgeException {
        List<ListedProcess> listed = Bridge.everything().list();
        if (json) {
            JsonLine.print(System.out, JsonLine.of(generator -> {
                generator.writeStartArray();
                for (ListedProcess process : listed) {
                    ProcessJson.write(generator, process);
                }
                generator.writeEndArray();
            }));
        } else if (listed.isEmpty()) {
            System.err.println(CliText.text("ps.none"));
        } else {
            String head = ROW.formatted("PID", "REACH", "CONTROL", "STATE", "FRAMEWORK", "DEVICES", "COMMAND");
            System.out.println(Style.out().heading(head.stripTrailing()));
            listed.forEach(PsCommand::printRow);
            listed.forEach(PsCommand::printHint);
        }
        return ExitStatus.DONE.code();
    }

    private static void printRow(ListedProcess listed) {
        Optional<TrainingProcess> training = listed.training();
        System.out.printf(
                ROW,
                id(listed),
                listed.reach().label(),
                training.map(TrainingProcess::control).orElse(false) ? "yes" : "no",
                listed.state().name().toLowerCase(Locale.ROOT),
                listed.found()
                        .flatMap(FoundProcess::framework)
                        .map(Framework::toString)
                        .orElse("-"),
                training.map(PsCommand::devices)
                        .orElseGet(() -> listed.found().map(PsCommand::devices).orElse("-")),
                command(listed));
    }

    /** What was split off another one runs the same command: it is told first whose it is. */
    private static String command(ListedProcess listed) {
        String command = listed.training()
                .map(TrainingProcess::command)
                .orElseGet(() -> listed.found().map(FoundProcess::command).orElse(""));
        OptionalLong parent = listed.childOf();
        return parent.isPresent() ? CliText.text("ps.child", Long.toString(parent.getAsLong()), command) : command;
    }

    /** What is missing for more, below the table: it is a sentence. */
    private static void printHint(ListedProcess listed) {
        listed.obstacle()
                .ifPresent(obstacle -> System.out.println(
                        Style.out().hint(CliText.text("ps.hint", id(listed), obstacle.text(Locale.getDefault())))));
    }

    private static String id(ListedProcess listed) {
        return listed.training()
                .map(process -> process.id().toString())
                .orElseGet(() ->
                        listed.found().map(found -> Long.toString(found.pid())).orElse(""));
    }

    private static String devices(TrainingProcess process) {
        return process.devices().stream()
                .map(d -> d.name() + " " + ByteSize.format(d.totalBytes()))
                .collect(Collectors.joining(", "));
    }

    private static String devices(FoundProcess process) {
        String devices = process.devices().stream()
                .map(device -> device.kind()
                        + (device.index().isPresent() ? " " + device.index().getAsInt() : "")
                        + (device.heldBytes().isPresent()
                                ? " " + ByteSize.format(device.heldBytes().getAsLong())
                                : ""))
                .collect(Collectors.joining(", "));
        return devices.isEmpty() ? "-" : devices;
    }
}
