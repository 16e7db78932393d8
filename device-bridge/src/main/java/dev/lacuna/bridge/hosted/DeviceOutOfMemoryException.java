package dev.lacuna.bridge.hosted;

/** A request failed for good; the message is the allocator's own report. */
public final class DeviceOutOfMemoryException extends Exception {
    private static final long serialVersionUID = 1L;

    public DeviceOutOfMemoryException(String message) {
        super(message);
    }
}
