package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Answers;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.TrainingProcess;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lacuna detach PID}: has an attached process let go. */
@Command(name = "detach", mixinStandardHelpOptions = true)
public final class DetachCommand implements Callable<Integer> {
    @Mixin
    private ProcessRequest request;

    @Override
    public Integer call() throws BridgeException {
        TrainingProcess process;
        try (AttachedProcess opened = request.open()) {
            process = opened.process();
        }
        Answers.given(Bridge.attacher().detach(process));
        request.answer(
                out -> out.writeStringField("reach", "attach"),
                Stream.of(CliText.text("detach.done", request.pid().toString())));
        return ExitStatus.DONE.code();
    }
}
