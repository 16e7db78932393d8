package dev.lacuna.core.diagnosis.snapshot;

import dev.lacuna.core.base.Registered;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.snapshot.evidence.FindingRule;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryFinding;
import dev.lacuna.core.diagnosis.snapshot.rule.EarlyAllocationRule;
import dev.lacuna.core.diagnosis.snapshot.rule.GapVerdictRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LastGrowthRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LateFreeRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LeakRule;
import dev.lacuna.core.diagnosis.snapshot.rule.LongIdleRule;
import dev.lacuna.core.diagnosis.snapshot.rule.OutOfMemoryRule;
import dev.lacuna.core.diagnosis.snapshot.rule.PendingFreeRule;
import dev.lacuna.core.diagnosis.snapshot.rule.SplitHotSpotRule;
import dev.lacuna.core.diagnosis.snapshot.rule.StreamCacheRule;
import dev.lacuna.core.diagnosis.snapshot.rule.TinyBlocksRule;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.RecordedSteps;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs every rule over a recording. Adding a rule = adding one class and one line here. */
public final class Findings {
    private static final List<FindingRule> RULES = Registered.of(
            FindingRule.class,
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
        return of(history, annotations, Redaction.NONE, Thresholds.DEFAULT);
    }

    /** The same with names written as this redaction says, and what counts as much by these thresholds. */
    public static List<HistoryFinding> of(
            DeviceHistory history, List<HistoryAnnotation> annotations, Redaction redaction, Thresholds thresholds) {
        HistoryEvidence evidence =
                new HistoryEvidence(history, RecordedSteps.of(annotations, history.device()), redaction, thresholds);
        List<HistoryFinding> found = new ArrayList<>();
        RULES.forEach(rule -> found.addAll(rule.find(evidence)));
        found.sort(Comparator.comparing(HistoryFinding::weight)
                .thenComparing(Comparator.comparingLong(HistoryFinding::bytes).reversed()));
        return List.copyOf(found);
    }
}
