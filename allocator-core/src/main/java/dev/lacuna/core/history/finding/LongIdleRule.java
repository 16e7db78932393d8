package dev.lacuna.core.history.finding;

import dev.lacuna.core.diagnosis.Text;
import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.finding.HistoryFinding.Weight;
import dev.lacuna.core.history.who.LifetimeClass;
import dev.lacuna.core.history.who.Lifetimes;
import dev.lacuna.core.history.who.LiveBlocks;
import dev.lacuna.core.history.who.StackBytes;
import dev.lacuna.core.snapshot.CallStacks;
import java.util.List;

/**
 * What lay in memory from before the recording to its end, as a share of the peak. A recording does not tell uses: weights are
 * used all the time, optimizer state once a step, what is left of a model that was loaded twice never.
 */
final class LongIdleRule implements FindingRule {
    private static final String ID = "long-idle";
    private static final long LEAST_BYTES = 256L << 20;
    private static final int LEAST_SHARE = 4;

    /** Something must have come and gone for the rest to have been idle meanwhile. */
    private static final int LEAST_EVENTS = 100;

    @Override
    public List<HistoryFinding> find(HistoryEvidence e) {
        DeviceHistory history = e.history();
        Lifetimes lifetimes = Lifetimes.of(history, e.steps());
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
        int largest = LiveBlocks.largest(history, 1, a -> lifetimes.of(a) == LifetimeClass.THROUGH)[0];
        Text text = Text.of(
                "finding.long-idle",
                HistoryEvidence.count(blocks),
                Text.size(bytes),
                HistoryEvidence.percent(bytes, peak),
                Text.size(peak),
                Text.size(through.bytes(most)),
                e.place(most));
        return List.of(new HistoryFinding(
                ID,
                Weight.NOTE,
                Text.of("finding.long-idle.title", Text.size(bytes)),
                text,
                bytes,
                e.levels().peakMoment(),
                most > 0 ? new FindingSubject.Stack(most) : new FindingSubject.Allocation(largest),
                List.of(HistoryRemedies.OFFLOAD)));
    }
}
