package dev.lacuna.app.cli;

import java.util.Optional;

/** A person at a terminal who can be asked, where there is one. */
interface Terminal {
    /** Whether anybody is there. */
    boolean isThere();

    /** Asks for a line; empty at the end of input. */
    Optional<String> ask(String prompt);

    /** Tells something that is not the command's output. */
    void tell(String line);
}
