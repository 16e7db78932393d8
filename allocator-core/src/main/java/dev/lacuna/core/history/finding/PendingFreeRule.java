package dev.lacuna.core.history.finding;

import dev.lacuna.core.diagnosis.Text;
import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.finding.HistoryFinding.Weight;
import dev.lacuna.core.history.who.LiveBlocks;
import java.util.List;

/** Memory that the trainer gave back and a stream held on to: it can serve nobody until the stream is through. */
final class PendingFreeRule implements FindingRule {
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
        int[] largest = LiveBlocks.largest(history, 1, a -> LiveBlocks.isPending(history, a, moment));
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
