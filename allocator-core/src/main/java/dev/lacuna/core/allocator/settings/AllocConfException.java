package dev.lacuna.core.allocator.settings;

/** A configuration string that the framework would refuse; the message says which part and what is accepted. */
public final class AllocConfException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    AllocConfException(String message) {
        super(message);
    }
}
