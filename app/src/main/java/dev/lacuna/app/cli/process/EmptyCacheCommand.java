package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.CacheEmptied;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lacuna empty-cache PID}: has a process give unused memory back to its device. */
@Command(name = "empty-cache", mixinStandardHelpOptions = true)
public final class EmptyCacheCommand implements Callable<Integer> {
    @Mixin
    private ProcessRequest request;

    @Mixin
    private FirstChange first;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    @Option(names = "--force")
    private boolean force;

    @Override
    public Integer call() throws BridgeException {
        CacheEmptied done;
        int device;
        try (AttachedProcess process = request.open()) {
            device = asked.in(process.sample().devices());
            first.require(process, request.isJson());
            done = Answers.given(process.emptyCache(device, force));
        }
        request.answer(
                out -> {
                    out.writeNumberField("device", device);
                    ChangeJson.counters(out, "before", done.before());
                    ChangeJson.counters(out, "after", done.after());
                },
                Stream.of(
                        CliText.text("set.before", CounterSummary.of(done.before())),
                        CliText.text("set.after", CounterSummary.of(done.after()))));
        return ExitStatus.DONE.code();
    }
}
