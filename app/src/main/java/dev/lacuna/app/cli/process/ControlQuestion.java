package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.Question;
import dev.lacuna.app.cli.output.Terminal;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ControlPermits;
import dev.lacuna.bridge.TrainingProcess;

/** Asks a person before the first change of a process that was not prepared, as the window does: once, as long as it stays attached. */
final class ControlQuestion {
    private final Terminal terminal;
    private final ControlPermits permits;
    private final boolean given;

    /** @param given whether the word is already there, by {@code --yes} or because a document is wanted */
    ControlQuestion(Terminal terminal, ControlPermits permits, boolean given) {
        this.terminal = terminal;
        this.permits = permits;
        this.given = given;
    }

    /** @throws CommandFailure where the answer is no: nothing was touched */
    void require(AttachedProcess attached) throws BridgeException {
        TrainingProcess process = attached.process();
        if (given || !terminal.isThere() || !process.isStock() || permits.allowed(process)) {
            return;
        }
        try {
            new Question(terminal, false)
                    .require(
                            CliText.text("control.what", process.id().toString(), process.command()),
                            CliText.text("control.ask"));
        } catch (CommandFailure no) {
            permits.answered(process, false);
            throw no;
        }
        permits.answered(process, true);
    }
}
