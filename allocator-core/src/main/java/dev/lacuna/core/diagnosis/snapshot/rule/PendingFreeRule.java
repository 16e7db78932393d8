package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.FindingRule;
import dev.lacuna.core.diagnosis.snapshot.evidence.FindingSubject;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryFinding;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryFinding.Weight;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.diagnosis.snapshot.evidence.Levels;
import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.List;

/** Memory that the trainer gave back and a stream held on to: it can serve nobody until the stream is through. */
public final class PendingFreeRule implements FindingRule {
    private static final String ID = "pending-free";
    private static final long LEAST_BYTES = 64L << 20;

    @Override
    public List<HistoryFinding> find(HistoryEvidence e) {
        Levels levels = e.levels();
        if (levels.pendingBytes() < LEAST_BYTES || levels.pendingBytes() * 100 < levels.peakBytes()) {
            return List.of();
        }
        DeviceHistory history = e.history();
        int moment = levels.pendingMoment();
        int[] largest = HeldByTrainer.largest(history, 1, a -> HeldByTrainer.isPending(history, a, moment));
        Text text = Text.of(
                "finding.pending-free",
                Text.size(levels.pendingBytes()),
                HistoryEvidence.count(moment),
                Text.size(history.bytesOf(largest[0])),
                e.place(history.stackOf(largest[0])));
        return List.of(new HistoryFinding(
                ID,
                Weight.WASTE,
                Text.of("finding.pending-free.title", Text.size(levels.pendingBytes())),
                text,
                levels.pendingBytes(),
                moment,
                new FindingSubject.Allocation(largest[0]),
                List.of(HistoryRemedies.SYNCHRONISE_SOONER, HistoryRemedies.FEWER_STREAMS)));
    }
}
