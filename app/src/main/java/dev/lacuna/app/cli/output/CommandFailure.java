package dev.lacuna.app.cli.output;

/** Ends a command with one clear message on stderr and a documented exit status. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    /** The message says what, where and what to do, in the user's language. */
    public CommandFailure(ExitStatus status, String message) {
        super(message);
        this.status = status;
    }

    /** Why the command ended. */
    public ExitStatus status() {
        return status;
    }
}
