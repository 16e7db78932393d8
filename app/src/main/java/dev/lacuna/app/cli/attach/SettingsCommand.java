package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.app.cli.process.StockProcess;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.SettingChange;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna settings PID [KEY=VALUE]}: PyTorch's own allocator settings of an attached process, live. */
@Command(name = "settings", mixinStandardHelpOptions = true)
public final class SettingsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Parameters(paramLabel = "KEY=VALUE", index = "1", arity = "0..1", descriptionKey = "assignment")
    private String assignment = "";

    @Option(names = "--undo")
    private boolean undo;

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException {
        int equals = assignment.indexOf('=');
        if (!assignment.isEmpty() && (undo || equals <= 0 || equals == assignment.length() - 1)) {
            throw new ParameterException(spec.commandLine(), CliText.text("settings.form", assignment));
        }
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            StockControl stock = StockProcess.of(process);
            if (undo) {
                print(Optional.of(StockProcess.given(stock.undoSetting())));
            } else if (assignment.isEmpty()) {
                String now = StockProcess.given(stock.settings());
                print(now, Optional.empty());
            } else {
                print(Optional.of(StockProcess.given(
                        stock.changeSetting(assignment.substring(0, equals), assignment.substring(equals + 1)))));
            }
        }
        return ExitStatus.DONE.code();
    }

    private void print(Optional<SettingChange> change) {
        change.ifPresent(done -> print(done.after(), Optional.of(done.before())));
    }

    private void print(String now, Optional<String> before) {
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", pid.pid());
                if (before.isPresent()) {
                    out.writeStringField("before", before.get());
                }
                out.writeStringField("settings", now);
                out.writeEndObject();
            }));
            return;
        }
        before.ifPresent(was -> System.out.println(CliText.text("settings.before", shown(was))));
        System.out.println(before.isPresent() ? CliText.text("settings.after", shown(now)) : shown(now));
    }

    private static String shown(String settings) {
        return settings.isEmpty() ? CliText.text("settings.usual") : settings;
    }
}
