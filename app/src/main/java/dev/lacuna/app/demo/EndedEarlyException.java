package dev.lacuna.app.demo;

/** The trainer ended before its agent could be attached to. */
public final class EndedEarlyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String output;

    EndedEarlyException(int status, String output) {
        super("the training process ended with status " + status);
        this.status = status;
        this.output = output;
    }

    /** Its exit status. */
    public int status() {
        return status;
    }

    /** The end of what it printed. */
    public String output() {
        return output;
    }
}
