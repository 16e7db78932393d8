package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.CacheEmptied;
import dev.lacuna.bridge.ProcessId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lacuna empty-cache PID}: has a process give unused memory back to its device. */
@Command(name = "empty-cache", mixinStandardHelpOptions = true)
public final class EmptyCacheCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--device", paramLabel = "DEVICE", converter = DeviceArgument.Converter.class)
    private DeviceArgument asked = DeviceArgument.USUAL;

    @Option(names = "--force")
    private boolean force;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException {
        Answer<CacheEmptied> answer;
        int device;
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            device = asked.in(process.sample().devices());
            answer = process.emptyCache(device, force);
        }
        if (answer instanceof Answer.Refused<CacheEmptied> refused) {
            throw new CommandFailure(ExitStatus.PROCESS, CliText.text("set.refused", refused.code(), refused.text()));
        }
        CacheEmptied done = ((Answer.Given<CacheEmptied>) answer).value();
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", pid.pid());
                out.writeNumberField("device", device);
                ChangeJson.counters(out, "before", done.before());
                ChangeJson.counters(out, "after", done.after());
                out.writeEndObject();
            }));
        } else {
            System.out.println(CliText.text("set.before", CounterSummary.of(done.before())));
            System.out.println(CliText.text("set.after", CounterSummary.of(done.after())));
        }
        return ExitStatus.DONE.code();
    }
}
