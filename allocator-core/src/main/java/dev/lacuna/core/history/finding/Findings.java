package dev.lacuna.core.history.finding;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.HistoryAnnotation;
import dev.lacuna.core.history.report.Redaction;
import dev.lacuna.core.history.who.StepMarks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs every rule over a recording. Adding a rule = adding one class and one line here. */
public final class Findings {
    private static final List<FindingRule> RULES = List.of(
            new OutOfMemoryRule(),
            new LastGrowthRule(),
            new GapVerdictRule(),
            new SplitHotSpotRule(),
            new LeakRule(),
            new PendingFreeRule(),
            new LateFreeRule(),
            new EarlyAllocationRule(),
            new LongIdleRule(),
            new StreamCacheRule(),
            new TinyBlocksRule());

    private Findings() {}

    /** What a recording without marks tells. */
    public static List<HistoryFinding> of(DeviceHistory history) {
        return of(history, List.of());
    }

    /** What a recording tells, failures first, then what wastes most. Some passes over its events and allocations. */
    public static List<HistoryFinding> of(DeviceHistory history, List<HistoryAnnotation> annotations) {
        return of(history, annotations, Redaction.NONE);
    }

    /** The same with names written as this redaction says. */
    public static List<HistoryFinding> of(
            DeviceHistory history, List<HistoryAnnotation> annotations, Redaction redaction) {
        HistoryEvidence evidence = new HistoryEvidence(history, StepMarks.of(annotations, history.device()), redaction);
        List<HistoryFinding> found = new ArrayList<>();
        RULES.forEach(rule -> found.addAll(rule.find(evidence)));
        found.sort(Comparator.comparing(HistoryFinding::weight)
                .thenComparing(Comparator.comparingLong(HistoryFinding::bytes).reversed()));
        return List.copyOf(found);
    }
}
