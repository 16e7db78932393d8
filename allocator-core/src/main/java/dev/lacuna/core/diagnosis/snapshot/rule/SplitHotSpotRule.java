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
import java.util.TreeSet;

/** Who keeps half-empty segments: stacks whose blocks alone stand in segments that would else be given back. */
public final class SplitHotSpotRule implements Rule<HistoryEvidence> {
    private static final String ID = "split-hot-spot";
    private static final long LEAST_BYTES = 32L << 20;
    private static final int TOLD = 3;

    /** Blocks that the file does not list may stand anywhere: what is not so many times as large as they are is not told. */
    private static final int DOUBT = 10;

    /** What a stack keeps: segments in which nobody else stands, what is split in them, what its own blocks take. */
    private static final class Keeper {
        private int segments;
        private int blocks;
        private long splitBytes;
        private long ownBytes;
        private int block;
        private final TreeSet<Long> sizes = new TreeSet<>();
    }

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        Occupancy occupancy = e.occupancy(e.lastMoment());
        Map<Integer, Keeper> keepers = keepers(e.history(), occupancy);
        long unlisted = e.unlistedBytes();
        return keepers.entrySet().stream()
                .filter(k -> k.getValue().splitBytes >= LEAST_BYTES && k.getValue().splitBytes > k.getValue().ownBytes)
                .filter(k -> k.getValue().splitBytes > unlisted * DOUBT)
                .sorted(Comparator.comparingLong(k -> -k.getValue().splitBytes))
                .limit(TOLD)
                .map(k -> tell(e, occupancy, k.getKey(), k.getValue()))
                .toList();
    }

    private static Finding tell(HistoryEvidence e, Occupancy occupancy, int stack, Keeper keeper) {
        Text text = Text.of(
                "finding.split-hot-spot",
                HistoryEvidence.count(keeper.blocks),
                e.place(stack),
                Text.size(keeper.sizes.first()),
                Text.size(keeper.sizes.last()),
                Text.size(keeper.ownBytes),
                HistoryEvidence.count(keeper.segments),
                Text.size(keeper.splitBytes));
        return Finding.of(
                        ID, Severity.WASTE, Text.of("finding.split-hot-spot.title", Text.size(keeper.splitBytes)), text)
                .with("bytes", keeper.splitBytes)
                .at(occupancy.moment(), stack > 0 ? new Subject.Stack(stack) : new Subject.Allocation(keeper.block))
                .advising(HistoryRemedies.againstSplitting(
                        e, HistoryRemedies.LONG_LIVED_FIRST, HistoryRemedies.FREE_SOONER));
    }

    private static Map<Integer, Keeper> keepers(DeviceHistory history, Occupancy occupancy) {
        Map<Integer, Keeper> keepers = new HashMap<>();
        for (SegmentAtMoment segment : occupancy.segments()) {
            int[] stacks = Arrays.stream(segment.blocks())
                    .map(block -> StackBytes.stackOf(history, block))
                    .distinct()
                    .toArray();
            if (stacks.length == 1) {
                Keeper keeper = keepers.computeIfAbsent(stacks[0], s -> new Keeper());
                keeper.segments++;
                keeper.splitBytes += segment.splitBytes();
                keeper.ownBytes += segment.takenBytes();
                keeper.block = segment.blocks()[0];
                keeper.blocks += segment.blocks().length;
                Arrays.stream(segment.blocks()).mapToLong(history::bytesOf).forEach(keeper.sizes::add);
            }
        }
        return keepers;
    }
}
