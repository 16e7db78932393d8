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
import dev.lacuna.bridge.TrainingProcess;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lacuna detach PID}: has an attached process let go. */
@Command(name = "detach", mixinStandardHelpOptions = true)
public final class DetachCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException {
        TrainingProcess process;
        try (AttachedProcess opened = Bridge.processes().attach(pid)) {
            process = opened.process();
        }
        StockProcess.given(Bridge.attacher().detach(process));
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", process.pid());
                out.writeStringField("reach", "attach");
                out.writeEndObject();
            }));
        } else {
            System.out.println(CliText.text("detach.done", pid.toString()));
        }
        return ExitStatus.DONE.code();
    }
}
