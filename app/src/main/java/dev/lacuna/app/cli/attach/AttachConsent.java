package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.Terminal;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.Framework;
import java.util.Locale;
import java.util.Optional;

/** Says what attaching puts into a process, and asks a person at a terminal; a script that calls the command has said yes by that. */
final class AttachConsent {
    private final Terminal terminal;
    private final boolean ask;

    /** @param given whether it is already there, by {@code --yes} or because a document is wanted */
    AttachConsent(Terminal terminal, boolean given) {
        this.terminal = terminal;
        this.ask = !given && terminal.isThere();
    }

    /** @throws CommandFailure where the answer is no: nothing was touched */
    void require(FoundProcess process) {
        if (!ask) {
            return;
        }
        String framework = process.framework().map(Framework::toString).orElse("-");
        terminal.tell(CliText.text("attach.what", Long.toString(process.pid()), framework, process.command()));
        Optional<String> typed = terminal.ask(CliText.text("attach.ask"));
        if (typed.map(word -> word.strip().toLowerCase(Locale.ROOT))
                .filter(word -> word.equals("y") || word.equals("yes"))
                .isEmpty()) {
            throw new CommandFailure(ExitStatus.PROCESS, CliText.text("attach.not"));
        }
    }
}
