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
 * Blocks that outlive their like and stand in the way at the peak: a line frees most of its blocks quickly and keeps a few.
 * A recording does not tell last uses, so a block is late by comparison only.
 */
public final class LateFreeRule implements Rule<HistoryEvidence> {
    private static final String ID = "late-free";
    private static final int LEAST_GROUP = 8;

    /** So many times the usual lifetime is late. */
    private static final int TIMES = 10;

    /** A late block outlives at least this share of the recording. */
    private static final int LEAST_SHARE = 50;

    private static final long LEAST_BYTES = 32L << 20;
    private static final int TOLD = 3;

    private record Late(int[] blocks, long bytes, int usual) {}

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        long least = Math.max(LEAST_BYTES, e.levels().peakBytes() / 100);
        return SimilarBlocks.byStack(e.history()).stream()
                .filter(group -> group.length >= LEAST_GROUP && StackBytes.stackOf(e.history(), group[0]) > 0)
                .map(group -> late(e, group))
                .filter(Objects::nonNull)
                .filter(late -> late.bytes() >= least)
                .sorted(Comparator.comparingLong(late -> -late.bytes()))
                .limit(TOLD)
                .map(late -> tell(e, late))
                .toList();
    }

    private static Late late(HistoryEvidence e, int[] group) {
        DeviceHistory history = e.history();
        int usual = SimilarBlocks.medianLifetime(history, group);
        int limit = Math.max(usual * TIMES, history.size() / LEAST_SHARE);
        int[] late = Arrays.stream(group)
                .filter(a -> SimilarBlocks.lifetime(history, a) > limit)
                .filter(a -> HeldByTrainer.isLive(history, a, e.levels().peakMoment()))
                .toArray();
        return late.length == 0 || late.length * 4 > group.length
                ? null
                : new Late(late, SimilarBlocks.bytes(history, late), usual);
    }

    private static Finding tell(HistoryEvidence e, Late late) {
        DeviceHistory history = e.history();
        int stack = StackBytes.stackOf(history, late.blocks()[0]);
        Text text = Text.of(
                "finding.late-free",
                HistoryEvidence.count(late.blocks().length),
                e.place(stack),
                Text.size(late.bytes()),
                HistoryEvidence.count(SimilarBlocks.medianLifetime(history, late.blocks())),
                HistoryEvidence.count(late.usual()));
        return Finding.of(ID, Severity.WASTE, Text.of("finding.late-free.title", Text.size(late.bytes())), text)
                .with("bytes", late.bytes())
                .at(e.levels().peakMoment(), new Subject.Stack(stack))
                .advising(List.of(HistoryRemedies.FREE_SOONER, HistoryRemedies.SET_TO_NONE));
    }
}
