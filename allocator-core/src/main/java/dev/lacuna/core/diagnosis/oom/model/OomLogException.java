package dev.lacuna.core.diagnosis.oom.model;

import java.io.IOException;

/** A log that could not be read to its end. The message says why, in one sentence; what was whole before is kept. */
public class OomLogException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient OomLog before;

    public OomLogException(String message, IOException cause) {
        this(message, cause, OomLog.EMPTY);
    }

    /** With the reports that stood before the fault. */
    public OomLogException(String message, IOException cause, OomLog before) {
        super(message, cause);
        this.before = before;
    }

    /** What was read before the fault, as if the log had ended there. */
    public OomLog before() {
        return before;
    }
}
