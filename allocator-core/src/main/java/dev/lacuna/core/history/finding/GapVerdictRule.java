package dev.lacuna.core.history.finding;

import dev.lacuna.core.diagnosis.Text;
import dev.lacuna.core.history.finding.HistoryFinding.Weight;
import dev.lacuna.core.memory.GapParts;
import java.util.List;

/**
 * What the gap consists of at the end. The field's rule (reserved − allocated above 1 GiB is fragmentation) is made for
 * out-of-memory messages, before which the allocator has given back what it could; on a snapshot most of a gap is ordinary
 * caching, and the rule is contradicted with figures.
 */
final class GapVerdictRule implements FindingRule {
    private static final String ID = "gap";

    /** The field's threshold. */
    private static final long RULE_BYTES = 1L << 30;

    /** Smaller gaps are nobody's trouble. */
    private static final long LEAST_BYTES = 64L << 20;

    @Override
    public List<HistoryFinding> find(HistoryEvidence e) {
        Occupancy end = e.occupancy(e.lastMoment());
        GapParts gap = end.gap();
        long bytes = gap.totalBytes();
        if (bytes < LEAST_BYTES || bytes <= RULE_BYTES && bytes * 10 < end.reservedBytes()) {
            return List.of();
        }
        boolean caching = gap.releasableBytes() * 2 > bytes;
        boolean fragmented = gap.splitBytes() > RULE_BYTES;
        Text parts = Text.of(
                "finding.gap",
                Text.size(end.reservedBytes()),
                Text.size(end.allocatedBytes()),
                Text.size(bytes),
                Text.size(gap.releasableBytes()),
                Text.size(gap.splitBytes()),
                Text.size(gap.pendingBytes()),
                Text.text(verdict(gap, caching, fragmented)));
        return List.of(new HistoryFinding(
                ID,
                fragmented ? Weight.WASTE : Weight.NOTE,
                Text.of(
                        fragmented
                                ? "finding.gap.title.split"
                                : caching ? "finding.gap.title.cache" : "finding.gap.title"),
                parts,
                bytes,
                end.moment(),
                new FindingSubject.Moment(),
                fragmented
                        ? HistoryRemedies.againstSplitting(e, HistoryRemedies.LONG_LIVED_FIRST)
                        : List.of(HistoryRemedies.EMPTY_CACHE)));
    }

    private static Text title(GapParts gap, boolean caching, boolean fragmented) {
        if (fragmented && caching) {
            return Text.of("finding.gap.title.both", Text.size(gap.splitBytes()));
        }
        return Text.of(
                fragmented ? "finding.gap.title.split" : caching ? "finding.gap.title.cache" : "finding.gap.title");
    }

    private static Text verdict(GapParts gap, boolean caching, boolean fragmented) {
        if (fragmented) {
            return Text.of("finding.gap.fragmented", Text.size(gap.splitBytes()));
        }
        if (gap.totalBytes() > RULE_BYTES) {
            return Text.of("finding.gap.contradicted", HistoryEvidence.percent(gap.splitBytes(), gap.totalBytes()));
        }
        return Text.of(caching ? "finding.gap.caching" : "finding.gap.mixed");
    }
}
