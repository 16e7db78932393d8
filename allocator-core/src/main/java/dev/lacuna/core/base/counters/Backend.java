package dev.lacuna.core.base.counters;

/** What kind of device the agent's memory lies on; the ordinal + 1 is the wire code. */
public enum Backend {
    VIRTUAL("virtual"),
    CUDA("cuda"),
    ASCEND("ascend");

    private final String label;

    Backend(String label) {
        this.label = label;
    }

    /** The word used on the wire and in JSON. */
    public String label() {
        return label;
    }
}
