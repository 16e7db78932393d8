package dev.lacuna.core.diagnosis.snapshot;

import dev.lacuna.core.diagnosis.Rules;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.RecordedSteps;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import java.util.Comparator;
import java.util.List;

/** What the rules find in a recording. */
public final class Findings {
    private Findings() {}

    /** What a recording without marks tells. */
    public static List<Finding> of(DeviceHistory history) {
        return of(history, List.of(), Redaction.NONE, Thresholds.DEFAULT);
    }

    /**
     * What a recording tells, failures first, then what wastes most. Some passes over its events and allocations. Names are written as the
     * redaction says; what counts as much say the thresholds.
     */
    public static List<Finding> of(
            DeviceHistory history, List<HistoryAnnotation> annotations, Redaction redaction, Thresholds thresholds) {
        HistoryEvidence evidence =
                new HistoryEvidence(history, RecordedSteps.of(annotations, history.device()), redaction, thresholds);
        return Rules.judge(evidence).stream()
                .sorted(Comparator.comparing(Finding::severity)
                        .thenComparing(Comparator.comparingLong(Finding::bytes).reversed()))
                .toList();
    }
}
