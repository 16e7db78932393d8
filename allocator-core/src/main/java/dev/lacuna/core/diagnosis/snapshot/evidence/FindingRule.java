package dev.lacuna.core.diagnosis.snapshot.evidence;

import java.util.List;

/** Looks for one kind of waste. Stateless. */
@FunctionalInterface
public interface FindingRule {
    /** What it finds, the most bytes first; usually nothing. */
    public List<HistoryFinding> find(HistoryEvidence evidence);
}
