package dev.lacuna.app.demo;

/** A quarter of the free memory is too little for the demo. */
public final class TooLittleMemoryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final long freeBytes;

    TooLittleMemoryException(long freeBytes) {
        super("too little free memory for the demo");
        this.freeBytes = freeBytes;
    }

    /** What is free. */
    public long freeBytes() {
        return freeBytes;
    }
}
