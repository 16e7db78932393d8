package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.bridge.Answer;
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
        Answer<Boolean> answer = answer();
        if (answer instanceof Answer.Refused<Boolean> refused) {
            throw refused(refused);
        }
        request.answer(
                out -> out.writeStringField("reach", "attach"),
                Stream.of(CliText.text("detach.done", request.pid().toString())));
        return ExitStatus.DONE.code();
    }

    private Answer<Boolean> answer() throws BridgeException {
        try {
            TrainingProcess process;
            try (AttachedProcess opened = request.open()) {
                process = opened.process();
            }
            return Bridge.attacher().detach(process);
        } catch (BridgeException e) {
            if (e.reason() == BridgeException.Reason.GONE) {
                return nothingThere();
            }
            throw e;
        }
    }

    /** There is nothing to be taken out: no process, or none in which anything of ours is. */
    private Answer<Boolean> nothingThere() {
        String pid = request.pid().toString();
        boolean elsewhere = request.pid().namespace().isPresent();
        return !elsewhere && ProcessHandle.of(request.pid().pid()).isEmpty()
                ? new Answer.Refused<>("no-process", CliText.text("detach.no-process", pid))
                : new Answer.Refused<>("not-attached", CliText.text("detach.not-attached", pid));
    }

    private CommandFailure refused(Answer.Refused<Boolean> refused) {
        if (request.isJson()) {
            request.answer(
                    out -> {
                        out.writeObjectFieldStart("error");
                        out.writeStringField("code", refused.code());
                        out.writeStringField("text", refused.text());
                        out.writeEndObject();
                    },
                    Stream.empty());
        }
        return new CommandFailure(
                ExitStatus.PROCESS,
                CliText.text("detach.refused", request.pid().toString(), refused.code(), refused.text()));
    }
}
