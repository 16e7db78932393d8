package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.Question;
import dev.lacuna.app.cli.output.Terminal;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;

/** Says what attaching puts into a process, and asks. */
final class AttachConsent {
    private final Question question;

    /** @param given whether it is already there, by {@code --yes} or because a document is wanted */
    AttachConsent(Terminal terminal, boolean given) {
        this.question = new Question(terminal, given);
    }

    /** @throws CommandFailure where the answer is no: nothing was touched */
    void require(FoundProcess process) {
        String framework = process.framework().map(Framework::toString).orElse("-");
        question.require(
                CliText.text("attach.what", Long.toString(process.pid()), framework, process.command()),
                CliText.text("attach.ask"));
    }
}
