package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.history.model.MemoryAtMoment;
import java.util.ArrayList;
import java.util.List;

/**
 * What the gap consists of at the end. The field's rule (reserved − allocated above a threshold is fragmentation) is made for
 * out-of-memory messages, before which the allocator has given back what it could; on a snapshot most of a gap is ordinary
 * caching, and the rule is contradicted with figures.
 */
public final class GapVerdictRule implements Rule<HistoryEvidence> {
    private static final String ID = "gap";

    /** Smaller gaps are nobody's trouble. */
    private static final long LEAST_BYTES = 64L << 20;

    /** Parts below one in ten of the gap are not worth a remedy, unless the field's rule calls them fragmentation. */
    private static final int SHARE = 10;

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        MemoryAtMoment end = e.lastMemory();
        GapParts gap = end.gap();
        long bytes = gap.totalBytes();
        long rule = e.thresholds().gapBytes();
        if (bytes < LEAST_BYTES || bytes <= rule && bytes * SHARE < end.reserved()) {
            return List.of();
        }
        boolean caching = gap.releasableBytes() * 2 > bytes;
        boolean fragmented = gap.splitBytes() > rule;
        Text parts = Text.of(
                "finding.gap",
                Text.size(end.reserved()),
                Text.size(end.allocated()),
                Text.size(bytes),
                Text.size(gap.releasableBytes()),
                Text.size(gap.splitBytes()),
                Text.size(gap.pendingBytes()),
                Text.text(verdict(gap, caching, fragmented, rule)));
        return List.of(
                Finding.of(ID, fragmented ? Severity.WASTE : Severity.NOTE, title(gap, caching, fragmented), parts)
                        .with("bytes", bytes)
                        .at(end.moment(), new Subject.Whole())
                        .advising(remedies(e, gap, fragmented)));
    }

    private static Text title(GapParts gap, boolean caching, boolean fragmented) {
        if (fragmented && caching) {
            return Text.of("finding.gap.title.both", Text.size(gap.splitBytes()));
        }
        if (fragmented && gap.splitBytes() * 2 <= gap.totalBytes()) {
            return Text.of("finding.gap.title.part", Text.size(gap.splitBytes()));
        }
        return Text.of(
                fragmented ? "finding.gap.title.split" : caching ? "finding.gap.title.cache" : "finding.gap.title");
    }

    /** Those of each part that counts, the largest part's first. */
    private static List<Remedy> remedies(HistoryEvidence e, GapParts gap, boolean fragmented) {
        List<Remedy> remedies = new ArrayList<>();
        if (counts(gap.splitBytes(), gap) || fragmented) {
            remedies.addAll(HistoryRemedies.againstSplitting(e, HistoryRemedies.LONG_LIVED_FIRST));
        }
        if (counts(gap.releasableBytes(), gap)) {
            boolean first = gap.releasableBytes() > gap.splitBytes();
            remedies.add(first ? 0 : remedies.size(), HistoryRemedies.EMPTY_CACHE);
        }
        if (counts(gap.pendingBytes(), gap)) {
            boolean first = gap.pendingBytes() * 2 > gap.totalBytes();
            remedies.add(first ? 0 : remedies.size(), HistoryRemedies.SYNCHRONISE_SOONER);
        }
        return remedies;
    }

    private static boolean counts(long part, GapParts gap) {
        return part * SHARE >= gap.totalBytes();
    }

    private static Text verdict(GapParts gap, boolean caching, boolean fragmented, long rule) {
        if (fragmented) {
            return Text.of("finding.gap.fragmented", Text.size(gap.splitBytes()));
        }
        if (gap.totalBytes() > rule) {
            return Text.of(
                    "finding.gap.contradicted",
                    HistoryEvidence.percent(gap.splitBytes(), gap.totalBytes()),
                    Text.size(rule));
        }
        return caching ? Text.of("finding.gap.caching") : Text.of("finding.gap.mixed", Text.size(rule));
    }
}
