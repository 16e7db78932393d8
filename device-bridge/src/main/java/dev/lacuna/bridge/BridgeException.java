package dev.lacuna.bridge;

/** Anything that keeps the bridge from doing what was asked. The message says what, where and what to do. */
public class BridgeException extends Exception {
    /** Why the bridge could not. */
    public enum Reason {
        /** No such training process, or it has ended. */
        GONE,
        /** The name could mean several processes, or one of another pid namespace; nothing was done. */
        AMBIGUOUS,
        /** It belongs to another user, or its files are not to be trusted. */
        NOT_PERMITTED,
        /** It did not answer in time (stopped, or very busy). */
        TIMED_OUT,
        /** Its telemetry is damaged or of an unknown version. */
        UNREADABLE,
        /** The operating system refused. */
        SYSTEM
    }

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public BridgeException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public BridgeException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
