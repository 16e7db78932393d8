package dev.lacuna.core.trace.model;

/** What one row of a trace asks for. */
public enum TraceOperation {
    /** A request for memory; value = bytes. */
    ALLOC("alloc"),
    /** A block is given back. */
    FREE("free"),
    /** A phase begins or ends; value = 2 × phase ordinal + (1 begin, 0 end). */
    PHASE("phase"),
    /** All cached memory is given back to the device. */
    EMPTY_CACHE("empty-cache"),
    /** The counters are wanted at this point. */
    STATS("stats"),
    /** Bytes that other processes hold from now on; value = bytes. */
    OTHER("other"),
    /** The cap on reserved from now on; value = the bits of the fraction, stream = its decimals as written. */
    FRACTION("fraction");

    private final String word;

    TraceOperation(String word) {
        this.word = word;
    }

    /** The word in trace text. */
    public String word() {
        return word;
    }
}
