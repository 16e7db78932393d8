package dev.lacuna.core.replay.snapshot;

import static dev.lacuna.core.trace.snapshot.SnapshotOf.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.trace.snapshot.SnapshotOf;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class SnapshotReplayTest {
    private static final long MIB = 1L << 20;
    private static final long A = 0x7f00_0000_0000L;
    private static final String LIVE = "active_allocated";
    private static final String FREE = "inactive";

    private final SnapshotOf snapshot = new SnapshotOf();

    private SnapshotReplayResult replay() throws IOException {
        return SnapshotReplay.run(snapshot.device(), CachingOptions.PYTORCH);
    }

    private static String difference(SnapshotReplayResult result) {
        return result.difference().orElse("");
    }

    @Test
    void a_recording_from_the_beginning_agrees_to_its_end() throws IOException {
        snapshot.segment(A, 20 * MIB, block(A, 4 * MIB, 0, FREE), block(A + 4 * MIB, 16 * MIB, 15 * MIB, LIVE))
                .event("segment_alloc", A, 20 * MIB)
                .event("alloc", A, 4 * MIB)
                .event("alloc", A + 4 * MIB, 15 * MIB)
                .event("free_requested", A, 4 * MIB)
                .event("free_completed", A, 4 * MIB);
        assertThat(replay()).isEqualTo(new SnapshotReplayResult(false, 2, 1, 20 * MIB, 16 * MIB, Optional.empty()));
    }

    @Test
    void a_block_elsewhere_is_a_difference() throws IOException {
        snapshot.segment(A, 20 * MIB, block(A, 10 * MIB, 0, FREE), block(A + 10 * MIB, 10 * MIB, 9 * MIB, LIVE))
                .event("segment_alloc", A, 20 * MIB)
                .event("alloc", A + 10 * MIB, 9 * MIB);
        assertThat(difference(replay()))
                .contains("entry 1 (alloc of 9437184 bytes")
                .contains("lies at 0x7f0000000000");
    }

    @Test
    void a_segment_that_the_rules_do_not_need_is_a_difference() throws IOException {
        snapshot.segment(A, 20 * MIB, block(A, 2 * MIB, 2 * MIB, LIVE), block(A + 2 * MIB, 18 * MIB, 0, FREE))
                .segment(
                        A + 40 * MIB,
                        20 * MIB,
                        block(A + 40 * MIB, 2 * MIB, 2 * MIB, LIVE),
                        block(A + 42 * MIB, 18 * MIB, 0, FREE))
                .event("segment_alloc", A, 20 * MIB)
                .event("alloc", A, 2 * MIB)
                .event("segment_alloc", A + 40 * MIB, 20 * MIB)
                .event("alloc", A + 40 * MIB, 2 * MIB);
        assertThat(difference(replay())).contains("entry 3").contains("needed no new segment");
    }

    @Test
    void a_segment_that_the_rules_need_and_the_recording_lacks_is_a_difference() throws IOException {
        snapshot.segment(A, 20 * MIB, block(A, 2 * MIB, 2 * MIB, LIVE), block(A + 2 * MIB, 18 * MIB, 0, FREE))
                .event("alloc", A, 2 * MIB, 5);
        assertThat(difference(replay())).contains("entry 0").contains("needed a segment that was not taken then");
    }

    @Test
    void a_segment_that_came_with_blocks_in_it_is_refused() throws IOException {
        snapshot.segment(A, 20 * MIB, block(A, 12 * MIB, 12 * MIB, LIVE), block(A + 12 * MIB, 8 * MIB, 8 * MIB, LIVE))
                .event("segment_alloc", A, 20 * MIB)
                .event("alloc", A, 12 * MIB);
        assertThatThrownBy(this::replay).isInstanceOf(SnapshotReplayException.class);
    }

    @Test
    void a_recording_that_began_late_starts_from_its_end_rolled_back() throws IOException {
        snapshot.segment(A, 20 * MIB, block(A, 6 * MIB, 0, FREE), block(A + 6 * MIB, 14 * MIB, 14 * MIB, LIVE))
                .event("free_completed", A, 4 * MIB)
                .event("alloc", A, 3 * MIB)
                .event("free_completed", A, 3 * MIB);
        SnapshotReplayResult result = replay();
        assertThat(difference(result)).isEmpty();
        assertThat(result.seeded()).isTrue();
        assertThat(result.allocatedBytes()).isEqualTo(14 * MIB);
    }

    @Test
    void what_is_too_small_to_be_split_off_a_block_belonged_to_it() throws IOException {
        // 4 MiB were asked for and held 4.5. Had half a MiB been free, the request would lie there.
        long rest = MIB / 2;
        snapshot.segment(
                        A,
                        20 * MIB,
                        block(A, 4 * MIB + rest, 0, FREE),
                        block(A + 4 * MIB + rest, 2 * MIB, 2 * MIB, LIVE),
                        block(A + 6 * MIB + rest, 14 * MIB - rest, 0, FREE))
                .event("free_completed", A + 4 * MIB + rest, 16 * MIB - rest)
                .event("alloc", A + 4 * MIB + rest, 2 * MIB)
                .event("free_completed", A, 4 * MIB);
        assertThat(difference(replay())).isEmpty();
    }

    @Test
    void a_rest_with_free_memory_behind_is_found_out_from_what_follows() throws IOException {
        long rest = MIB / 2;
        snapshot.segment(
                        A,
                        20 * MIB,
                        block(A, 4 * MIB + rest, 0, FREE),
                        block(A + 4 * MIB + rest, 2 * MIB, 2 * MIB, LIVE),
                        block(A + 6 * MIB + rest, 14 * MIB - rest, 0, FREE))
                .event("alloc", A + 4 * MIB + rest, 2 * MIB)
                .event("free_completed", A, 4 * MIB);
        SnapshotReplayResult result = replay();
        assertThat(difference(result)).isEmpty();
        assertThat(result.allocations()).isEqualTo(1);
        // One replay shows the difference, a second would be needed to make it good.
        assertThat(SnapshotReplay.run(snapshot.device(), CachingOptions.PYTORCH, 1)
                        .difference())
                .isPresent();
    }

    @Test
    void an_interrupted_one_stops() throws IOException {
        snapshot.segment(A, 12 * MIB, block(A, 12 * MIB, 12 * MIB, LIVE)).event("alloc", A, 12 * MIB);
        SnapshotDevice device = snapshot.device();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> SnapshotReplay.run(device, CachingOptions.PYTORCH))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void emptying_the_cache_returns_just_the_wholly_free_segments() throws IOException {
        snapshot.segment(A, 12 * MIB, block(A, 12 * MIB, 12 * MIB, LIVE))
                .event("segment_alloc", A, 12 * MIB)
                .event("alloc", A, 12 * MIB)
                .event("segment_alloc", A + 12 * MIB, 14 * MIB)
                .event("alloc", A + 12 * MIB, 14 * MIB)
                .event("free_completed", A + 12 * MIB, 14 * MIB)
                .event("segment_free", A + 12 * MIB, 14 * MIB);
        assertThat(replay()).isEqualTo(new SnapshotReplayResult(false, 2, 2, 12 * MIB, 12 * MIB, Optional.empty()));
    }

    @Test
    void a_cache_emptied_by_half_is_a_difference() throws IOException {
        snapshot.segment(A, 12 * MIB, block(A, 12 * MIB, 0, FREE))
                .event("segment_alloc", A, 12 * MIB)
                .event("alloc", A, 12 * MIB)
                .event("segment_alloc", A + 12 * MIB, 14 * MIB)
                .event("alloc", A + 12 * MIB, 14 * MIB)
                .event("free_completed", A, 12 * MIB)
                .event("free_completed", A + 12 * MIB, 14 * MIB)
                .event("segment_free", A + 12 * MIB, 14 * MIB);
        assertThat(difference(replay())).contains("return of 1 segments, the model returns 2");
    }

    @Test
    void entries_that_contradict_the_end_are_refused() throws IOException {
        snapshot.segment(A, 12 * MIB, block(A, 12 * MIB, 12 * MIB, LIVE)).event("alloc", A + MIB, 512);
        assertThatThrownBy(this::replay)
                .isInstanceOf(SnapshotReplayException.class)
                .hasMessageContaining("entry 0");
    }

    @Test
    void blocks_outside_all_segments_are_refused() throws IOException {
        snapshot.segment(A, 12 * MIB, block(A, 12 * MIB, 12 * MIB, LIVE)).event("free_completed", 0x1000, 512);
        assertThatThrownBy(this::replay)
                .isInstanceOf(SnapshotReplayException.class)
                .hasMessageContaining("outside");
    }

    @Test
    void expandable_segments_follow_other_rules() throws IOException {
        snapshot.event("segment_map", A, 20 * MIB);
        assertThatThrownBy(this::replay)
                .isInstanceOf(SnapshotReplayException.class)
                .hasMessageContaining("expandable");
    }
}
