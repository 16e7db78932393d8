package dev.lacuna.core.history.finding;

import java.util.List;

/** Looks for one kind of waste. Stateless. */
@FunctionalInterface
interface FindingRule {
    /** What it finds, the most bytes first; usually nothing. */
    List<HistoryFinding> find(HistoryEvidence evidence);
}
