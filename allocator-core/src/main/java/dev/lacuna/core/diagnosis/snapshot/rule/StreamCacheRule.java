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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Streams that keep cache of their own: a free piece serves only the stream that it was taken for. */
public final class StreamCacheRule implements Rule<HistoryEvidence> {
    private static final String ID = "stream-cache";
    private static final long LEAST_BYTES = 64L << 20;

    /** With no more than this to give back, emptying the cache is no remedy. */
    private static final long LEAST_RELEASABLE_BYTES = 2L << 20;

    /** PyTorch's default stream. */
    private static final long DEFAULT_STREAM = 0;

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        Occupancy end = e.occupancy(e.lastMoment());
        Map<Long, Long> free = new TreeMap<>();
        end.segments().forEach(segment -> free.merge(segment.stream(), segment.freeBytes(), Long::sum));
        long apart = free.entrySet().stream()
                .filter(stream -> stream.getKey() != DEFAULT_STREAM)
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (free.size() < 2 || apart < LEAST_BYTES) {
            return List.of();
        }
        Map.Entry<Long, Long> most = free.entrySet().stream()
                .filter(stream -> stream.getKey() != DEFAULT_STREAM)
                .max(Map.Entry.comparingByValue())
                .orElseThrow();
        SegmentAtMoment segment = end.segments().stream()
                .filter(s -> s.stream() == most.getKey())
                .reduce((a, b) -> b.freeBytes() > a.freeBytes() ? b : a)
                .orElseThrow();
        boolean releasable = end.segments().stream()
                .anyMatch(s -> s.stream() != DEFAULT_STREAM && s.releasableBytes() >= LEAST_RELEASABLE_BYTES);
        Text text = Text.of(
                "finding.stream-cache",
                HistoryEvidence.count(free.size() - (free.containsKey(DEFAULT_STREAM) ? 1 : 0)),
                Text.size(apart),
                Text.size(most.getValue()),
                e.address(most.getKey()),
                Text.size(free.getOrDefault(DEFAULT_STREAM, 0L)));
        return List.of(Finding.of(ID, Severity.WASTE, Text.of("finding.stream-cache.title", Text.size(apart)), text)
                .with("bytes", apart)
                .at(end.moment(), new Subject.Segment(segment.address()))
                .advising(
                        releasable
                                ? List.of(HistoryRemedies.FEWER_STREAMS, HistoryRemedies.EMPTY_CACHE)
                                : List.of(HistoryRemedies.FEWER_STREAMS)));
    }
}
