package dev.lacuna.core.diagnosis.oom.model;

/** The printed form, which tells roughly how old the framework is and so which remedies it knows. */
public enum MessageForm {
    /** PyTorch 1.0 … 1.3: {@code … cached)}. */
    CACHED("1.0\u20131.3"),
    /** PyTorch 1.4 … 1.9, all torch_npu, IPEX, Lacuna: {@code … reserved in total by PyTorch)}. */
    RESERVED_IN_TOTAL("1.4\u20131.9"),
    /** PyTorch 1.10 … 2.0: the same with the max_split_size_mb advice. */
    RESERVED_WITH_ADVICE("1.10\u20132.0"),
    /** PyTorch 2.1: sentences, "capacty". */
    SENTENCES_CAPACTY("2.1"),
    /** PyTorch 2.2 and later: sentences. */
    SENTENCES("\u2265 2.2"),
    /** Refused before it was tried: PyTorch 2.14. */
    REJECTED("\u2265 2.14"),
    /** A form that tells no version. */
    OTHER("");

    private final String versions;

    MessageForm(String versions) {
        this.versions = versions;
    }

    /** Whether it prints what lies in the gap, not only what the gap is worked out from. */
    public boolean printsGap() {
        return switch (this) {
            case SENTENCES, SENTENCES_CAPACTY, REJECTED -> true;
            case CACHED, RESERVED_IN_TOTAL, RESERVED_WITH_ADVICE, OTHER -> false;
        };
    }

    /** PyTorch versions that print this form, for people; empty when unknown. */
    public String versions() {
        return versions;
    }
}
