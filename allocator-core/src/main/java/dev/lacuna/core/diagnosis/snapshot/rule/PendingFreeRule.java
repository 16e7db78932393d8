package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.diagnosis.snapshot.evidence.Levels;
import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.List;

/** Memory that the trainer gave back and a stream held on to: it can serve nobody until the stream is through. */
public final class PendingFreeRule implements Rule<HistoryEvidence> {
    private static final String ID = "pending-free";
    private static final long LEAST_BYTES = 64L << 20;

    @Override
    public List<Finding> judge(HistoryEvidence e) {
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
        return List.of(Finding.of(
                        ID,
                        Severity.WASTE,
                        Text.of("finding.pending-free.title", Text.size(levels.pendingBytes())),
                        text)
                .with("bytes", levels.pendingBytes())
                .at(moment, new Subject.Allocation(largest[0]))
                .advising(List.of(HistoryRemedies.SYNCHRONISE_SOONER, HistoryRemedies.FEWER_STREAMS)));
    }
}
