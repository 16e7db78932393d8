package dev.lacuna.app.cli.output;

import java.util.Optional;

/** A person at a terminal who can be asked, where there is one. */
public interface Terminal {
    /** Whether anybody is there. */
    public boolean isThere();

    /** Asks for a line; empty at the end of input. */
    public Optional<String> ask(String prompt);

    /** Tells something that is not the command's output. */
    public void tell(String line);
}
