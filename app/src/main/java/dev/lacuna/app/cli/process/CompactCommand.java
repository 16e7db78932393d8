package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.IntervalConverter;
import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessState;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lacuna compact PID}: moves what outlives steps to the side that serves since the last switch. */
@Command(name = "compact", mixinStandardHelpOptions = true)
public final class CompactCommand implements Callable<Integer> {
    private static final long PAUSE_MS = 100;

    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    @Option(names = "--at-once")
    private boolean atOnce;

    @Option(names = "--wait", paramLabel = "TIME", defaultValue = "1m", converter = IntervalConverter.class)
    private Duration patience;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            CompactionControl control = process.compaction()
                    .orElseThrow(() ->
                            new CommandFailure(ExitStatus.PROCESS, CliText.text("compact.agentless", pid.toString())));
            int device = asked.in(process.sample().devices());
            StockProcess.given(control.ask(device, atOnce));
            CompactionReport report = new CompactionReport(pid.pid(), device, await(process, control, device));
            JsonLine.print(System.out, json ? report.json() : report.text());
        }
        return ExitStatus.DONE.code();
    }

    private Compaction await(AttachedProcess process, CompactionControl control, int device)
            throws BridgeException, InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        Compaction now = StockProcess.given(control.state(device));
        while (now.state() != Compaction.State.DONE && System.nanoTime() < until) {
            if (process.sample().state() == ProcessState.GONE) {
                throw new CommandFailure(ExitStatus.PROCESS, CliText.text("compact.gone", pid.toString()));
            }
            Thread.sleep(PAUSE_MS);
            now = StockProcess.given(control.state(device));
        }
        return now;
    }
}
