package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.attribution.LifetimeClass;
import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import java.util.List;

/**
 * What lay in memory from before the recording to its end, as a share of the peak. A recording does not tell uses: weights are
 * used all the time, optimizer state once a step, what is left of a model that was loaded twice never.
 */
public final class LongIdleRule implements Rule<HistoryEvidence> {
    private static final String ID = "long-idle";
    private static final long LEAST_BYTES = 256L << 20;
    private static final int LEAST_SHARE = 4;

    /** Something must have come and gone for the rest to have been idle meanwhile. */
    private static final int LEAST_EVENTS = 100;

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        DeviceHistory history = e.history();
        LifetimeClasses lifetimes = LifetimeClasses.of(history, e.steps());
        StackBytes through = StackBytes.of(history, a -> lifetimes.of(a) == LifetimeClass.THROUGH);
        long bytes = 0;
        long blocks = 0;
        int most = CallStacks.EMPTY;
        for (int s = 0; s < through.stacks(); s++) {
            bytes += through.bytes(s);
            blocks += through.blocks(s);
            most = through.bytes(s) > through.bytes(most) ? s : most;
        }
        long peak = e.levels().peakBytes();
        if (history.size() < LEAST_EVENTS || bytes < LEAST_BYTES || bytes * LEAST_SHARE < peak) {
            return List.of();
        }
        int largest = HeldByTrainer.largest(history, 1, a -> lifetimes.of(a) == LifetimeClass.THROUGH)[0];
        Text text = Text.of(
                "finding.long-idle",
                HistoryEvidence.count(blocks),
                Text.size(bytes),
                HistoryEvidence.percent(bytes, peak),
                Text.size(peak),
                Text.size(through.bytes(most)),
                e.place(most));
        return List.of(Finding.of(ID, Severity.NOTE, Text.of("finding.long-idle.title", Text.size(bytes)), text)
                .with("bytes", bytes)
                .at(e.levels().peakMoment(), most > 0 ? new Subject.Stack(most) : new Subject.Allocation(largest))
                .advising(List.of(HistoryRemedies.OFFLOAD)));
    }
}
