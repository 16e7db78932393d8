package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.IntervalConverter;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lacuna compact PID}: moves what outlives steps to the side that serves since the last switch. */
@Command(name = "compact", mixinStandardHelpOptions = true)
public final class CompactCommand implements Callable<Integer> {
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
            int device = asked.in(process.sample().devices());
            CompactionReport report = CompactionRun.of(process).run(device, atOnce, patience);
            request.answer(report::write, report.lines());
        }
        return ExitStatus.DONE.code();
    }
}
