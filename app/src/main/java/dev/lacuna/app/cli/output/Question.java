package dev.lacuna.app.cli.output;

import java.util.Locale;
import java.util.Optional;

/** Says what is about to be done, and asks a person at a terminal; a script that calls the command has said yes by that. */
public final class Question {
    private final Terminal terminal;
    private final boolean ask;

    /** @param given whether the word is already there, by {@code --yes} or because a document is wanted */
    public Question(Terminal terminal, boolean given) {
        this.terminal = terminal;
        this.ask = !given && terminal.isThere();
    }

    /** @throws CommandFailure where the answer is no: nothing was touched */
    public void require(String what, String question) {
        if (!ask) {
            return;
        }
        terminal.tell(what);
        Optional<String> typed = terminal.ask(question);
        if (typed.map(word -> word.strip().toLowerCase(Locale.ROOT))
                .filter(word -> word.equals("y") || word.equals("yes"))
                .isEmpty()) {
            throw new CommandFailure(ExitStatus.PROCESS, CliText.text("attach.not"));
        }
    }
}
