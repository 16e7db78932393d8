package dev.lacuna.app.cli.attach;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Answers;
import dev.lacuna.app.cli.process.FirstChange;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.app.cli.process.StockProcess;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.StockControl.Forecast;
import dev.lacuna.bridge.StockControl.SettingChange;
import dev.lacuna.bridge.StockControl.SettingState;
import dev.lacuna.bridge.StockControl.Trial;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.LivePeak;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna settings PID [KEY=VALUE]}: PyTorch's own allocator settings of an attached process, live. */
@Command(name = "settings", mixinStandardHelpOptions = true)
public final class SettingsCommand implements Callable<Integer> {
    @Mixin
    private ProcessRequest request;

    @Mixin
    private FirstChange first;

    @Parameters(paramLabel = "KEY=VALUE", index = "1", arity = "0..1", descriptionKey = "assignment")
    private String assignment = "";

    @Option(names = "--undo")
    private boolean undo;

    @Option(names = "--preview")
    private boolean preview;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException {
        int equals = assignment.indexOf('=');
        if ((preview && (assignment.isEmpty() || undo))
                || !assignment.isEmpty() && (undo || equals <= 0 || equals == assignment.length() - 1)) {
            throw new ParameterException(spec.commandLine(), CliText.text("settings.form", assignment));
        }
        try (AttachedProcess process = request.open()) {
            StockControl stock = StockProcess.of(process);
            if (undo || !assignment.isEmpty()) {
                first.require(process, request.isJson());
            }
            if (preview) {
                System.err.println("lacuna: "
                        + CliText.text("settings.recording", request.pid().toString()));
                print(Answers.given(stock.forecast(assignment.substring(0, equals), assignment.substring(equals + 1))));
            } else if (undo) {
                print(Answers.given(stock.undoSetting()));
            } else if (assignment.isEmpty()) {
                print(Answers.given(stock.settings()));
            } else {
                print(Answers.given(
                        stock.changeSetting(assignment.substring(0, equals), assignment.substring(equals + 1))));
            }
        }
        return ExitStatus.DONE.code();
    }

    private void print(Forecast found) {
        request.answer(
                out -> {
                    out.writeStringField("asked", assignment);
                    out.writeNumberField("peak_allocated_bytes", found.allocatedBytes());
                    out.writeNumberField("peak_reserved_bytes", found.reservedBytes());
                    out.writeNumberField("present_from_start_bytes", found.withPresentBytes());
                    out.writeNumberField("changed_from_start_bytes", found.withChangedBytes());
                    live(out, "changed_live_bytes", found.live().map(LivePeak::atOnceBytes));
                    live(out, "changed_live_least_bytes", found.live().map(LivePeak::leastBytes));
                    live(out, "changed_live_most_bytes", found.live().map(LivePeak::mostBytes));
                    out.writeNumberField("failures", found.failures());
                },
                Stream.of(
                                Optional.of(CliText.text(
                                        "settings.preview",
                                        assignment,
                                        ByteSize.format(found.reservedBytes()),
                                        ByteSize.format(found.withChangedBytes()),
                                        ByteSize.format(found.withPresentBytes()))),
                                live(found),
                                Optional.of(CliText.text(
                                        found.failures() > 0 ? "settings.preview.fails" : "settings.preview.how")))
                        .flatMap(Optional::stream));
    }

    private static Optional<String> live(Forecast found) {
        return found.live()
                .map(peak -> CliText.text(
                        peak.leastBytes() == peak.mostBytes() ? "settings.preview.live" : "settings.preview.live.range",
                        ByteSize.format(peak.leastBytes()),
                        ByteSize.format(peak.mostBytes())));
    }

    private static void live(JsonGenerator out, String name, Optional<Long> bytes) throws IOException {
        if (bytes.isPresent()) {
            out.writeNumberField(name, bytes.get());
        } else {
            out.writeNullField(name);
        }
    }

    private void print(SettingState state) {
        String trial = state.trial().name().toLowerCase(Locale.ROOT);
        request.answer(
                out -> {
                    out.writeStringField("settings", state.text());
                    out.writeStringField("trial", trial);
                },
                state.trial() == Trial.NONE
                        ? Stream.of(shown(state.text()))
                        : Stream.of(shown(state.text()), CliText.text("settings.trial." + trial)));
    }

    private void print(SettingChange change) {
        request.answer(
                out -> {
                    out.writeStringField("before", change.before());
                    out.writeStringField("settings", change.after());
                },
                Stream.concat(
                        Stream.of(
                                CliText.text("settings.before", shown(change.before())),
                                CliText.text("settings.after", shown(change.after()))),
                        undo ? Stream.of() : Stream.of(CliText.text("settings.trial.running"))));
    }

    private static String shown(String settings) {
        return settings.isEmpty() ? CliText.text("settings.usual") : settings;
    }
}
