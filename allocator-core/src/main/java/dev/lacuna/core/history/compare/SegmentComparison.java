package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.attribution.SegmentsAt;
import dev.lacuna.core.history.model.SegmentState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/** Which segments two sides have. */
final class SegmentComparison {
    private SegmentComparison() {}

    static List<Difference<SegmentKey>> of(Side a, Side b) {
        boolean one = a.history() == b.history();
        Tally<SegmentKey> tally = new Tally<>(new LinkedHashMap<>());
        SegmentState inA = SegmentsAt.moment(a.history(), a.moment());
        for (int i = 0; i < inA.size(); i++) {
            tally.addA(one ? SegmentKey.one(inA, i) : SegmentKey.kind(inA, i), inA.totalBytes(i));
        }
        SegmentState inB = SegmentsAt.moment(b.history(), b.moment());
        for (int i = 0; i < inB.size(); i++) {
            tally.addB(one ? SegmentKey.one(inB, i) : SegmentKey.kind(inB, i), inB.totalBytes(i));
        }
        return tally.differences(Function.identity()).stream()
                .sorted(Difference.largestFirst())
                .toList();
    }
}
