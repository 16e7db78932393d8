package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.IntervalConverter;
import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.bridge.SwapControl;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lacuna layers PID}: what of each layer is where, what it does, what it takes. */
@Command(name = "layers", mixinStandardHelpOptions = true)
public final class LayersCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    private int device;

    @Option(names = "--fresh")
    private boolean fresh;

    @Option(names = "--watch")
    private boolean watch;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = IntervalConverter.class)
    private Duration interval;

    @Mixin
    private ChartFiles files = new ChartFiles();

    @Option(names = "--rule", paramLabel = "NAME|off")
    private String rule;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            SwapControl control = process.swapping()
                    .orElseThrow(() -> new CommandFailure(
                            ExitStatus.PROCESS,
                            CliText.text(
                                    process.process().isStock() ? "layers.stock" : "layers.none",
                                    String.valueOf(pid))));
            device = asked.in(process.sample().devices());
            if (rule != null) {
                LayerOrders before = Answers.given(control.tell(
                        device, rule.equals("off") ? new LayerOrders.None() : new LayerOrders.ByRule(rule)));
                System.err.println(CliText.text("layers.rule", rule, before.word()));
            }
            print(control, fresh);
            while (watch) {
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
                if (!again(control)) {
                    break;
                }
            }
        }
        return ExitStatus.DONE.code();
    }

    /** False once the process has ended, which is how watching ends. */
    private boolean again(SwapControl control) throws BridgeException {
        try {
            if (!json) {
                System.out.println();
            }
            print(control, false);
            return true;
        } catch (BridgeException e) {
            if (e.reason() == Reason.GONE) {
                return false;
            }
            throw e;
        }
    }

    private void print(SwapControl control, boolean anew) throws BridgeException {
        // The profile first: a layer that is new since has no measurement, and is told without.
        ProfileReading profile = Answers.given(control.profile(device, anew));
        LayerPlaces places = Answers.given(control.layers(device));
        files.write(() -> LayersReport.table(places), () -> LayersReport.picture(places));
        JsonLine.print(
                System.out,
                json ? LayersReport.json(pid.pid(), device, places, profile) : LayersReport.text(places, profile));
    }
}
