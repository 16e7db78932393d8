package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.SystemTerminal;
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

/** {@code lacuna take-over PID}: opens Lacuna's pools in an attached process, so that they can be switched. */
@Command(name = "take-over", mixinStandardHelpOptions = true)
public final class TakeOverCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(
            names = {"-y", "--yes"},
            descriptionKey = "yes")
    private boolean yes;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException {
        TrainingProcess process;
        try (AttachedProcess opened = Bridge.processes().attach(pid)) {
            StockProcess.of(opened);
            process = opened.process();
        }
        new Question(new SystemTerminal(), yes || json)
                .require(CliText.text("takeover.what", pid.toString()), CliText.text("takeover.ask"));
        TrainingProcess now =
                StockProcess.given(Bridge.frontDoor().open(process, line -> System.err.println("lacuna: " + line)));
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", now.pid());
                out.writeStringField("reach", "agent");
                out.writeEndObject();
            }));
        } else {
            System.out.println(CliText.text("takeover.done", pid.toString()));
        }
        return ExitStatus.DONE.code();
    }
}
