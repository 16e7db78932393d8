package dev.lacuna.core.diagnosis.oom.passage;

import java.util.List;
import java.util.Optional;

/** How one family of frameworks says that memory ran out. Stateless. */
public interface OomGrammar {
    /** Words in lower case without white space, one of which stands in every message of the family. */
    public List<String> anchors();

    /**
     * Reads the message around the anchor that stands at this index of the passage; empty when it is none after all.
     * Looks a bounded way around the anchor.
     */
    public Optional<ReportDraft> read(Passage passage, int anchor);
}
