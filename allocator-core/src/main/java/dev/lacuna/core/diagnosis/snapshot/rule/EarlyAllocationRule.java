package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.diagnosis.snapshot.evidence.SimilarBlocks;
import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Blocks asked for in one go and given back one after another: buffers made ahead of their use. A recording does not tell
 * first uses; the last that goes back shows how long it could have waited.
 */
public final class EarlyAllocationRule implements Rule<HistoryEvidence> {
    private static final String ID = "early-allocation";
    private static final int LEAST_GROUP = 4;

    /** Births this much closer together than deaths are one go. */
    private static final int TIMES = 20;

    private static final long LEAST_BYTES = 64L << 20;
    private static final int LEAST_SHARE = 20;
    private static final int TOLD = 3;

    private record Early(int[] blocks, long bytes, int births, int deaths) {}

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        return SimilarBlocks.byStack(e.history()).stream()
                .filter(group -> StackBytes.stackOf(e.history(), group[0]) > 0)
                .map(group -> early(e, group))
                .filter(Objects::nonNull)
                .filter(early ->
                        early.bytes() >= Math.max(LEAST_BYTES, e.levels().peakBytes() / LEAST_SHARE))
                .sorted(Comparator.comparingLong(early -> -early.bytes()))
                .limit(TOLD)
                .map(early -> tell(e, early))
                .toList();
    }

    /** Those of a group that are live at the peak, when that is where they stand in the way. */
    private static Early early(HistoryEvidence e, int[] group) {
        DeviceHistory history = e.history();
        int[] live = Arrays.stream(group)
                .filter(a -> HeldByTrainer.isLive(history, a, e.levels().peakMoment()))
                .toArray();
        if (live.length < LEAST_GROUP) {
            return null;
        }
        int births = history.bornAt(live[live.length - 1]) - history.bornAt(live[0]);
        int lastDeath = Arrays.stream(live).map(history::freedAt).max().getAsInt();
        int firstDeath = Arrays.stream(live).map(history::freedAt).min().getAsInt();
        int deaths = lastDeath - firstDeath;
        boolean ahead = deaths > Math.max(live.length, births) * (long) TIMES;
        return ahead ? new Early(live, SimilarBlocks.bytes(history, live), births, deaths) : null;
    }

    private static Finding tell(HistoryEvidence e, Early early) {
        int stack = StackBytes.stackOf(e.history(), early.blocks()[0]);
        Text text = Text.of(
                "finding.early-allocation",
                HistoryEvidence.count(early.blocks().length),
                e.place(stack),
                Text.size(early.bytes()),
                HistoryEvidence.count(early.births()),
                HistoryEvidence.count(early.deaths()));
        return Finding.of(ID, Severity.WASTE, Text.of("finding.early-allocation.title", Text.size(early.bytes())), text)
                .with("bytes", early.bytes())
                .at(e.levels().peakMoment(), new Subject.Stack(stack))
                .advising(List.of(HistoryRemedies.ALLOCATE_LATER));
    }
}
