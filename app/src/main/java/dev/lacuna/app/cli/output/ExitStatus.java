package dev.lacuna.app.cli.output;

/** The exit statuses of every command (docs/cli.md). */
public enum ExitStatus {
    /** Done. */
    DONE(0),
    /** Done, and the thing looked for was found ({@code --fail-on}). */
    FOUND(1),
    /** Wrong usage. */
    USAGE(2),
    /** Input could not be read or understood. */
    INPUT(3),
    /** The process refused, or is gone. */
    PROCESS(4),
    /** A fault in Lacuna. */
    FAULT(70);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    /** The number handed to the shell. */
    public int code() {
        return code;
    }
}
