package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import java.util.ArrayList;
import java.util.List;

/**
 * Each request that failed: what was asked, what the device and the pool still had, and whether one piece would have been
 * enough. Of many failures the first three and the last are told.
 */
public final class OutOfMemoryRule implements Rule<HistoryEvidence> {
    private static final String ID = "out-of-memory";
    private static final int TOLD = 3;

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        List<Finding> found = new ArrayList<>();
        DeviceHistory history = e.history();
        for (int i = 0; i < history.size(); i++) {
            if (history.action(i) == EventKind.OOM && (found.size() < TOLD || i == e.lastOomEvent())) {
                found.add(failure(e, i));
            }
        }
        return found;
    }

    private static Finding failure(HistoryEvidence e, int event) {
        DeviceHistory history = e.history();
        MemoryAtMoment there = e.occupancy(event).totals();
        GapParts gap = there.gap();
        long asked = history.bytes(event);
        long free = history.address(event); // An OOM entry has the device's free bytes in the place of an address.
        long inOnePiece = free + gap.totalBytes();
        boolean fits = asked <= inOnePiece;
        boolean capped = e.deviceHadRoom(event);
        Text verdict = capped
                ? Text.of("finding.out-of-memory.capped")
                : fits
                        ? Text.of("finding.out-of-memory.fits", Text.size(inOnePiece))
                        : Text.of("finding.out-of-memory.short", Text.size(asked - inOnePiece));
        Text text = Text.of(
                "finding.out-of-memory",
                Text.size(asked),
                e.place(history.stack(event)),
                Text.size(free),
                Text.size(there.reserved()),
                Text.size(there.allocated()),
                Text.size(gap.splitBytes()),
                Text.size(gap.releasableBytes()),
                Text.size(gap.pendingBytes()),
                Text.text(verdict));
        Subject subject = history.stack(event) >= 0 ? new Subject.Stack(history.stack(event)) : new Subject.Whole();
        return Finding.of(ID, Severity.FAILURE, Text.of("finding.out-of-memory.title", Text.size(asked)), text)
                .with("bytes", asked)
                .at(event, subject)
                .advising(remedies(e, capped, fits));
    }

    private static List<Remedy> remedies(HistoryEvidence e, boolean capped, boolean fits) {
        if (capped) {
            return List.of(HistoryRemedies.RAISE_LIMIT, HistoryRemedies.SMALLER_MICRO_BATCH);
        }
        return fits
                ? HistoryRemedies.againstSplitting(
                        e, HistoryRemedies.BUCKET_LENGTHS, HistoryRemedies.SMALLER_MICRO_BATCH)
                : List.of(HistoryRemedies.SMALLER_MICRO_BATCH, HistoryRemedies.SWAP, HistoryRemedies.RECOMPUTE);
    }
}
