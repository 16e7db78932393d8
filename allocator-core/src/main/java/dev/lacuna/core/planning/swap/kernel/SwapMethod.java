package dev.lacuna.core.planning.swap.kernel;

/** Ways to decide what moves when. */
public enum SwapMethod {
    /** {@link ForesightSwap}. */
    LACUNA("lacuna"),
    /** {@link MeasuredThenGuided}. */
    CAPUCHIN("capuchin"),
    /** {@link LayerOffload}. */
    VDNN("vdnn"),
    /** The largest first, when a kernel waits. */
    SIZE("size"),
    /** The least recently used first, when a kernel waits: Capuchin's passive mode. */
    LRU("lru");

    private final String id;

    SwapMethod(String id) {
        this.id = id;
    }

    /** Stable name, as in tables. */
    public String id() {
        return id;
    }
}
