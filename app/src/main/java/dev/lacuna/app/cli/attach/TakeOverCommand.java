package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.Question;
import dev.lacuna.app.cli.output.SystemTerminal;
import dev.lacuna.app.cli.process.Answers;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.app.cli.process.StockProcess;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.TrainingProcess;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lacuna take-over PID}: opens Lacuna's pools in an attached process, so that they can be switched. */
@Command(name = "take-over", mixinStandardHelpOptions = true)
public final class TakeOverCommand implements Callable<Integer> {
    @Mixin
    private ProcessRequest request;

    @Option(
            names = {"-y", "--yes"},
            descriptionKey = "yes")
    private boolean yes;

    @Override
    public Integer call() throws BridgeException {
        TrainingProcess process;
        try (AttachedProcess opened = request.open()) {
            StockProcess.of(opened);
            process = opened.process();
        }
        new Question(new SystemTerminal(), yes || request.isJson())
                .require(CliText.text("takeover.what", request.pid().toString()), CliText.text("takeover.ask"));
        Answers.given(Bridge.takeOver().open(process, line -> System.err.println("lacuna: " + line)));
        request.answer(
                out -> out.writeStringField("reach", "agent"),
                Stream.of(CliText.text("takeover.done", request.pid().toString())));
        return ExitStatus.DONE.code();
    }
}
