package dev.lacuna.core.history;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static dev.lacuna.core.trace.snapshot.SnapshotOf.dict;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.history.timeline.TimelineReader;
import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Free whole pages of expandable segments are releasable, whoever is asked, at whatever moment. */
class ExpandableGapTest {
    private static final long MIB = 1L << 20;

    /** Ranges begin at multiples of 2 MiB, not at those of their pages. */
    private static final long BASE = 0x7f00_0000_0000L + 6 * MIB;

    /** What leads to the segment of {@link #history}: 40 MiB of it were mapped first, and 20 MiB more than are left. */
    private static List<Object> trace() {
        List<Object> trace = new ArrayList<>();
        trace.add(event("segment_map", 0, 40 * MIB));
        trace.add(event("alloc", 25 * MIB, 10 * MIB));
        trace.add(event("alloc", 2 * MIB, 2 * MIB));
        trace.add(event("segment_map", 40 * MIB, 40 * MIB));
        trace.add(event("free_requested", 2 * MIB, 2 * MIB));
        trace.add(event("free_completed", 2 * MIB, 2 * MIB));
        trace.add(event("segment_unmap", 60 * MIB, 20 * MIB));
        return trace;
    }

    /** A range of which 60 MiB are mapped in the end, with a block of 10 MiB at 25 MiB. */
    private static DeviceHistory history(String type, List<Object> trace) throws IOException {
        Map<String, Object> segment = dict(
                "device",
                0,
                "address",
                BASE,
                "total_size",
                60 * MIB,
                "allocated_size",
                10 * MIB,
                "active_size",
                10 * MIB,
                "stream",
                0,
                "segment_type",
                type,
                "is_expandable",
                true,
                "blocks",
                List.of(
                        block(BASE, 25 * MIB, 0, "inactive"),
                        block(BASE + 25 * MIB, 10 * MIB, 10 * MIB, "active_allocated"),
                        block(BASE + 35 * MIB, 25 * MIB, 0, "inactive")));
        Map<String, Object> top = dict("segments", List.of(segment), "device_traces", List.of(trace));
        return new Recordings()
                .open(Pickler.stream(top), "made.pickle", OpenRequest.ALL)
                .devices()
                .get(0);
    }

    private static Map<String, Object> event(String action, long offset, long bytes) {
        return dict("action", action, "addr", BASE + offset, "size", bytes, "stream", 0);
    }

    @Test
    void pages_of_large_pools_have_20_mib_and_are_counted_from_the_beginning_of_the_segment() throws IOException {
        DeviceHistory history = history("large", trace());
        TimelineReader timeline = Timeline.of(history).reader();
        long[] releasable = {0, 40, 20, 0, 40, 40, 60, 40};
        for (int moment = 0; moment <= history.size(); moment++) {
            assertThat(timeline.at(moment).gap().releasableBytes())
                    .as("moment %d", moment)
                    .isEqualTo(releasable[moment] * MIB);
            assertThat(new Rewind(history).at(moment).totals()).isEqualTo(timeline.at(moment));
        }
        GapParts atTheEnd = new GapParts(40 * MIB, 10 * MIB, 0);
        assertThat(history.figures().gap()).isEqualTo(atTheEnd);
        assertThat(timeline.at(history.size()).gap()).isEqualTo(atTheEnd);
    }

    @Test
    void pages_of_small_pools_have_2_mib() throws IOException {
        DeviceHistory history = history("small", List.of());
        GapParts atTheEnd = new GapParts(48 * MIB, 2 * MIB, 0);
        assertThat(history.figures().gap()).isEqualTo(atTheEnd);
        assertThat(Timeline.of(history).reader().at(history.size()).gap()).isEqualTo(atTheEnd);
        assertThat(new Rewind(history).at(history.size()).totals().gap()).isEqualTo(atTheEnd);
    }

    @Test
    void ordinary_segments_go_back_as_a_whole_or_not_at_all() throws IOException {
        long bytes = 60 * MIB;
        Map<String, Object> top = new SnapshotOf()
                .segment(BASE, bytes, block(BASE, 10 * MIB, 10 * MIB, "active_allocated"))
                .segment(BASE + bytes, bytes)
                .top();
        DeviceHistory history = new Recordings()
                .open(Pickler.stream(top), "made.pickle", OpenRequest.ALL)
                .devices()
                .get(0);
        GapParts expected = new GapParts(60 * MIB, 50 * MIB, 0);
        assertThat(Timeline.of(history).reader().at(0).gap()).isEqualTo(expected);
        assertThat(history.figures().gap()).isEqualTo(expected);
    }

    @Property(tries = 60)
    void pages_told_one_by_one_are_those_that_no_block_touches(@ForAll long seed) {
        DeviceHistory history = RandomHistory.of(seed, 400);
        TimelineReader timeline = Timeline.of(history).reader();
        Rewind rewind = new Rewind(history);
        for (int moment = 0; moment <= history.size(); moment += 3) {
            assertThat(timeline.at(moment).gap().releasableBytes()).isEqualTo(releasable(rewind.at(moment)));
        }
    }

    /** Page by page, block by block. */
    private static long releasable(Moment moment) {
        SegmentState segments = moment.segments();
        long sum = 0;
        for (int s = 0; s < segments.size(); s++) {
            long page = !segments.expandable(s) ? segments.totalBytes(s) : (segments.large(s) ? 20 : 2) * MIB;
            for (long at = 0; at + page <= segments.totalBytes(s); at += page) {
                long from = segments.address(s) + at;
                boolean idle = true;
                for (int p = moment.firstPiece(s); p < moment.endPiece(s); p++) {
                    boolean touches = moment.address(p) < from + page && moment.address(p) + moment.bytes(p) > from;
                    idle &= !touches || moment.state(p) == Moment.State.HOLE;
                }
                sum += idle ? page : 0;
            }
        }
        return sum;
    }
}
