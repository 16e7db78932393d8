package dev.lacuna.core.replay.snapshot;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.open.HistoryTrace;
import dev.lacuna.core.replay.MinimumCapacity;
import dev.lacuna.core.replay.OpeningUse;
import dev.lacuna.core.replay.PolicyComparison;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayListener;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceFormatException;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.core.trace.snapshot.Pickler;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ContinuedSnapshotTest {
    private static final long MIB = 1L << 20;
    private static final long A = 0x7f00_0000_0000L;
    private static final long B = A + 64 * MIB;

    /** A block in the middle of a segment that was there before: 12 MiB fit on neither side, but next to it, had it been asked for. */
    private static Map<String, Object> late() {
        return new SnapshotOf()
                .segment(
                        A,
                        20 * MIB,
                        block(A, 8 * MIB, 0, "inactive"),
                        block(A + 8 * MIB, 2 * MIB, 2 * MIB, "active_allocated"),
                        block(A + 10 * MIB, 10 * MIB, 0, "inactive"))
                .segment(B, 12 * MIB, block(B, 12 * MIB, 12 * MIB, "active_allocated"))
                .event("segment_alloc", B, 12 * MIB)
                .event("alloc", B, 12 * MIB)
                .top();
    }

    private static TraceSource read() {
        return () -> TraceReaders.open(Pickler.stream(late()), List.of(new ContinuedSnapshotReader()));
    }

    private static AllocatorPolicy policy(String name) {
        return AllocatorPolicies.named(name).orElseThrow();
    }

    private static ReplayResult replay(TraceSource trace, String policy, ReplaySettings settings) {
        return new Replay(trace, settings).run(policy(policy));
    }

    @Test
    void caching_goes_on_from_the_segments_of_then() throws IOException {
        for (TraceSource trace : List.of(read(), read().whole(), read().keptUpTo(10))) {
            ReplayResult result = replay(trace, "caching", ReplaySettings.RECORDED);
            assertThat(result.openingUse()).isEqualTo(OpeningUse.TAKEN_OVER);
            assertThat(result.peakReservedBytes()).isEqualTo(32 * MIB);
            assertThat(result.peakAllocatedBytes()).isEqualTo(14 * MIB);
            assertThat(result.events()).isEqualTo(2);
        }
    }

    @Test
    void several_policies_each_begin_in_their_own_way() throws IOException {
        List<ReplayResult> results = new PolicyComparison(ReplaySettings.RECORDED, 2)
                .run(
                        read(),
                        List.of(
                                new PolicyComparison.Entrant(policy("caching"), ReplayListener.NONE),
                                new PolicyComparison.Entrant(policy("lifetime"), ReplayListener.NONE),
                                new PolicyComparison.Entrant(policy("planned"), ReplayListener.NONE)));
        assertThat(results)
                .extracting(ReplayResult::openingUse)
                .containsExactly(OpeningUse.TAKEN_OVER, OpeningUse.ASKED_FOR, OpeningUse.ASKED_FOR);
        assertThat(results).extracting(ReplayResult::peakAllocatedBytes).containsOnly(14 * MIB);
    }

    @Test
    void other_sizes_and_too_small_a_device_ask_for_the_blocks() {
        ReplayResult scaled = replay(read(), "caching", ReplaySettings.RECORDED.scaledBy(2));
        assertThat(scaled.openingUse()).isEqualTo(OpeningUse.DOES_NOT_FIT);
        assertThat(scaled.peakAllocatedBytes()).isEqualTo(28 * MIB);
        assertThat(replay(read(), "caching", ReplaySettings.RECORDED.capacity(20 * MIB - 1))
                        .openingUse())
                .isEqualTo(OpeningUse.DOES_NOT_FIT);
    }

    @Test
    void what_fits_just_so_is_taken_over() {
        ReplayResult tight = replay(read(), "caching", ReplaySettings.RECORDED.capacity(20 * MIB));
        assertThat(tight.openingUse()).isEqualTo(OpeningUse.TAKEN_OVER);
        assertThat(tight.ooms()).isEqualTo(1);
    }

    @Test
    void the_smallest_capacity_has_room_for_the_segments_of_then() {
        assertThat(new MinimumCapacity(read(), ReplaySettings.RECORDED).find(policy("caching")))
                .hasValue(32 * MIB);
    }

    @Test
    void what_is_opened_elsewhere_in_the_window_goes_on_likewise() throws IOException {
        Recording recording =
                new Recordings().open(new ByteArrayInputStream(Pickler.pickle(late(), 4)), "late", OpenRequest.ALL);
        AllocationTrace trace = HistoryTrace.of(HistoryTrace.busiest(recording).orElseThrow(), recording.annotations());
        ReplayResult result = replay(trace, "caching", ReplaySettings.RECORDED);
        assertThat(result.openingUse()).isEqualTo(OpeningUse.TAKEN_OVER);
        assertThat(result.peakReservedBytes()).isEqualTo(32 * MIB);
    }

    /** One entry on each of two devices, all memory on the second; nothing on a third, before a fourth with a trace. */
    private static Map<String, Object> twoDevices() {
        Map<String, Object> segment = SnapshotOf.dict(
                "device",
                1,
                "address",
                A,
                "total_size",
                20 * MIB,
                "stream",
                0,
                "segment_type",
                "large",
                "blocks",
                List.of(block(A, 20 * MIB, 20 * MIB, "active_allocated")));
        return SnapshotOf.dict(
                "segments",
                List.of(segment),
                "device_traces",
                List.of(
                        List.of(entry("snapshot", 0)),
                        List.of(entry("snapshot", 0)),
                        List.of(),
                        List.of(entry("alloc", MIB), entry("free_completed", MIB))));
    }

    private static Map<String, Object> entry(String action, long bytes) {
        return SnapshotOf.dict("action", action, "addr", B, "size", bytes, "stream", 0);
    }

    private static AllocationTrace ofTwoDevices(OptionalInt device) throws IOException {
        return AllocationTrace.of(
                TraceReaders.open(Pickler.stream(twoDevices()), List.of(new ContinuedSnapshotReader(device))));
    }

    @Test
    void takes_the_device_that_was_asked_for() throws IOException {
        assertThat(ofTwoDevices(OptionalInt.empty()).bytes(0)).isEqualTo(MIB);
        assertThat(ofTwoDevices(OptionalInt.of(0)).size()).isZero();
        assertThat(ofTwoDevices(OptionalInt.of(1)).bytes(0)).isEqualTo(20 * MIB);
    }

    @Test
    void names_the_devices_there_are_when_asked_for_another() {
        for (int absent : new int[] {2, 4}) {
            assertThatThrownBy(() -> ofTwoDevices(OptionalInt.of(absent)))
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageContaining("0, 1, 3");
        }
    }

    @Test
    void of_devices_that_tell_as_much_takes_the_one_with_the_most_memory() throws IOException {
        Map<String, Object> tie = new LinkedHashMap<>(twoDevices());
        tie.put("device_traces", List.of(List.of(entry("snapshot", 0)), List.of(entry("snapshot", 0))));
        AllocationTrace trace =
                AllocationTrace.of(TraceReaders.open(Pickler.stream(tie), List.of(new ContinuedSnapshotReader())));
        assertThat(trace.bytes(0)).isEqualTo(20 * MIB);
        Recording recording =
                new Recordings().open(new ByteArrayInputStream(Pickler.pickle(tie, 4)), "tie", OpenRequest.ALL);
        assertThat(HistoryTrace.busiest(recording).orElseThrow().device()).isEqualTo(1);
    }
}
