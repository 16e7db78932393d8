package dev.lacuna.core.oom;

import java.io.IOException;

/** A log that could not be read to its end. The message says why, in one sentence. */
public class OomLogException extends IOException {
    private static final long serialVersionUID = 1L;

    public OomLogException(String message, IOException cause) {
        super(message, cause);
    }
}
