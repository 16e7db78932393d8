package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.diagnosis.snapshot.evidence.Occupancy;
import dev.lacuna.core.diagnosis.snapshot.evidence.SegmentAtMoment;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Large segments that next to nothing keeps alive: 20 MiB and more of which one part in twenty is taken. */
public final class TinyBlocksRule implements Rule<HistoryEvidence> {
    private static final String ID = "tiny-blocks";

    /** PyTorch's kLargeBuffer. */
    private static final long LARGE_BYTES = 20L << 20;

    private static final int SHARE = 20;
    private static final long LEAST_BYTES = 32L << 20;

    /** Blocks that the file does not list may stand anywhere: what is not so many times as large as they are is not told. */
    private static final int DOUBT = 10;

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        Occupancy end = e.occupancy(e.lastMoment());
        List<SegmentAtMoment> nearlyEmpty = end.segments().stream()
                .filter(s -> s.totalBytes() >= LARGE_BYTES && !s.isWhollyFree())
                .filter(s -> s.splitBytes() > 0 && s.takenBytes() * SHARE <= s.totalBytes())
                .sorted(Comparator.comparingLong(s -> -s.splitBytes()))
                .toList();
        long split = nearlyEmpty.stream().mapToLong(SegmentAtMoment::splitBytes).sum();
        if (split < LEAST_BYTES || split <= e.unlistedBytes() * DOUBT) {
            return List.of();
        }
        int[] blocks = nearlyEmpty.stream()
                .flatMapToInt(s -> Arrays.stream(s.blocks()))
                .toArray();
        long taken = nearlyEmpty.stream().mapToLong(SegmentAtMoment::takenBytes).sum();
        long total = nearlyEmpty.stream().mapToLong(SegmentAtMoment::totalBytes).sum();
        Text text = Text.of(
                nearlyEmpty.size() == 1 ? "finding.tiny-blocks.one" : "finding.tiny-blocks",
                HistoryEvidence.count(nearlyEmpty.size()),
                Text.size(total),
                HistoryEvidence.count(blocks.length),
                Text.size(taken),
                e.place(commonest(e.history(), blocks)));
        return List.of(Finding.of(ID, Severity.WASTE, Text.of("finding.tiny-blocks.title", Text.size(split)), text)
                .with("bytes", split)
                .at(end.moment(), new Subject.Segment(nearlyEmpty.get(0).address()))
                .advising(HistoryRemedies.againstSplitting(e, HistoryRemedies.LONG_LIVED_FIRST)));
    }

    /** The stack that has most of the blocks; the lowest number of several. */
    private static int commonest(DeviceHistory history, int[] blocks) {
        Map<Integer, Integer> counts = new HashMap<>();
        Arrays.stream(blocks).forEach(b -> counts.merge(StackBytes.stackOf(history, b), 1, Integer::sum));
        return counts.entrySet().stream()
                .min(Comparator.<Map.Entry<Integer, Integer>>comparingInt(c -> -c.getValue())
                        .thenComparing(Map.Entry.comparingByKey()))
                .orElseThrow()
                .getKey();
    }
}
