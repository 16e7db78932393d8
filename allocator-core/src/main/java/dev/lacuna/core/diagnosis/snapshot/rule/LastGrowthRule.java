package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.diagnosis.snapshot.evidence.RoomFor;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.List;
import java.util.Optional;

/**
 * What the memory was for that was taken from the device last, before the end or before the out-of-memory failure; where a
 * request failed, what that request was up against. Who asked, what holes there were, which blocks stood between them.
 */
public final class LastGrowthRule implements Rule<HistoryEvidence> {
    private static final String ID = "last-growth";

    /** A segment is taken for the allocation that follows at once; marks may lie between. */
    private static final int NEAR = 8;

    /** A request: the event at which it was met or not, its size and who made it. */
    private record Request(int event, long bytes, int stack, boolean failed) {}

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        return request(e).map(request -> List.of(explain(e, request))).orElse(List.of());
    }

    private static Finding explain(HistoryEvidence e, Request request) {
        DeviceHistory history = e.history();
        RoomFor room = RoomFor.of(
                e.occupancy(request.event()),
                request.bytes(),
                history.stream(request.event()),
                history.pool(request.event()));
        boolean split = room.freeBytes() >= request.bytes();
        Text who = Text.of(
                request.failed() ? "finding.last-growth.failed" : "finding.last-growth.grew",
                request.failed() ? Text.size(0) : Text.size(history.bytes(request.event())),
                Text.size(request.bytes()),
                e.place(request.stack()));
        Text holes = Text.of(
                split ? "finding.last-growth.holes" : "finding.last-growth.full",
                Text.size(room.freeBytes()),
                Text.size(room.largestHole()));
        Text between = room.between().filter(b -> split).map(b -> between(e, b)).orElse(Text.of("finding.nothing"));
        List<Remedy> remedies = split
                ? HistoryRemedies.againstSplitting(e, HistoryRemedies.LONG_LIVED_FIRST, HistoryRemedies.BUCKET_LENGTHS)
                : List.of(HistoryRemedies.SMALLER_MICRO_BATCH, HistoryRemedies.RECOMPUTE);
        return Finding.of(
                        ID,
                        split ? Severity.WASTE : Severity.NOTE,
                        Text.of(split ? "finding.last-growth.title.split" : "finding.last-growth.title.full"),
                        Text.of("finding.last-growth", Text.text(who), Text.text(holes), Text.text(between)))
                .with("bytes", split ? room.freeBytes() : request.bytes())
                .at(request.event(), subject(room, split, request))
                .advising(remedies);
    }

    private static Text between(HistoryEvidence e, RoomFor.Between between) {
        int largest = RoomFor.largest(e.history(), between);
        return Text.of(
                between.blocks().length == 1 ? "finding.last-growth.between.one" : "finding.last-growth.between",
                HistoryEvidence.count(between.blocks().length),
                Text.size(between.bytes()),
                e.address(between.segment().address()),
                Text.size(e.history().bytesOf(largest)),
                e.place(e.history().stackOf(largest)));
    }

    private static Subject subject(RoomFor room, boolean split, Request request) {
        if (split && room.between().isPresent()) {
            return new Subject.Segment(room.between().get().segment().address());
        }
        return request.stack() >= 0 ? new Subject.Stack(request.stack()) : new Subject.Whole();
    }

    private static Optional<Request> request(HistoryEvidence e) {
        DeviceHistory history = e.history();
        int oom = e.lastOomEvent();
        if (oom >= 0 && e.deviceHadRoom(oom)) {
            return Optional.empty(); // Holes did not decide it: the failure says what did.
        }
        if (oom >= 0) {
            return Optional.of(new Request(oom, history.bytes(oom), history.stack(oom), true));
        }
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.action(i) == EventKind.GROW || history.action(i) == EventKind.SEGMENT_MAP) {
                return asker(history, i);
            }
        }
        return Optional.empty();
    }

    private static Optional<Request> asker(DeviceHistory history, int growth) {
        for (int i = growth + 1; i < Math.min(history.size(), growth + 1 + NEAR); i++) {
            if (history.action(i) == EventKind.ALLOC) {
                return Optional.of(new Request(growth, history.bytes(i), history.stack(i), false));
            }
        }
        return Optional.empty();
    }
}
