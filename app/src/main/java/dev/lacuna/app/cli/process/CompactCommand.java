package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.IntervalConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.ProcessState;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lacuna compact PID}: moves what outlives steps to the side that serves since the last switch. */
@Command(name = "compact", mixinStandardHelpOptions = true)
public final class CompactCommand implements Callable<Integer> {
    private static final long PAUSE_MS = 100;

    @Mixin
    private ProcessRequest request;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    @Option(names = "--at-once")
    private boolean atOnce;

    @Option(names = "--wait", paramLabel = "TIME", defaultValue = "1m", converter = IntervalConverter.class)
    private Duration patience;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        try (AttachedProcess process = request.open()) {
            CompactionControl control = process.compaction()
                    .orElseThrow(() -> new CommandFailure(
                            ExitStatus.PROCESS,
                            CliText.text("compact.agentless", request.pid().toString())));
            int device = asked.in(process.sample().devices());
            Answers.given(control.ask(device, atOnce));
            CompactionReport report = new CompactionReport(device, await(process, control, device));
            request.answer(report::write, report.lines());
        }
        return ExitStatus.DONE.code();
    }

    private Compaction await(AttachedProcess process, CompactionControl control, int device)
            throws BridgeException, InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        Compaction now = Answers.given(control.state(device));
        while (now.state() != Compaction.State.DONE && System.nanoTime() < until) {
            if (process.sample().state() == ProcessState.GONE) {
                throw new CommandFailure(
                        ExitStatus.PROCESS,
                        CliText.text("compact.gone", request.pid().toString()));
            }
            Thread.sleep(PAUSE_MS);
            now = Answers.given(control.state(device));
        }
        return now;
    }
}
