package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.Requests.KIB;
import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.base.counters.GapParts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachingAllocatorTest {
    private final CachingAllocator allocator = new CachingAllocator(Device.ofCapacity(100 * MIB));
    private final Requests requests = new Requests(allocator);

    @ParameterizedTest
    @CsvSource({"1, 512", "512, 512", "513, 1024", "1048576, 1048576"})
    void rounds_requests_to_whole_units_of_512_bytes(long bytes, long block) {
        assertThat(requests.get(0, bytes).blockBytes()).isEqualTo(block);
    }

    @ParameterizedTest
    @CsvSource({
        "1048576, small, 2",
        "1048577, large, 20",
        "10485248, large, 20",
        "10485760, large, 10",
        "10485761, large, 12",
    })
    void takes_a_segment_by_the_size_of_the_request(long bytes, String pool, long segmentMib) {
        assertThat(requests.get(0, bytes).pool().label()).isEqualTo(pool);
        assertThat(allocator.reservedBytes()).isEqualTo(segmentMib * MIB);
    }

    @Test
    void small_blocks_are_split_down_to_one_unit() {
        requests.get(0, MIB);
        assertThat(requests.get(1, MIB - 512)).isEqualTo(new Placement(StockPools.SMALL, 0, MIB, MIB - 512, true));
        assertThat(requests.get(2, 512).offsetBytes()).isEqualTo(2 * MIB - 512);
        assertThat(allocator.reservedBytes()).isEqualTo(2 * MIB);
    }

    @Test
    void large_blocks_keep_a_rest_of_up_to_1_mib() {
        requests.get(0, 12 * MIB);
        requests.free(0);
        assertThat(requests.get(0, 11 * MIB).blockBytes()).isEqualTo(12 * MIB);
        requests.free(0);
        assertThat(requests.get(0, 11 * MIB - 512).blockBytes()).isEqualTo(11 * MIB - 512);
    }

    @Test
    void takes_the_smallest_free_block_that_fits_and_of_equals_the_lowest() {
        requests.get(0, 30 * MIB);
        requests.get(1, 12 * MIB);
        requests.get(2, 12 * MIB);
        requests.free(0, 2, 1);
        assertThat(requests.get(3, 12 * MIB).segment()).isEqualTo(1);
    }

    @Test
    void a_free_block_never_serves_another_stream() {
        requests.get(0, 12 * MIB, 1);
        requests.free(0);
        assertThat(requests.get(1, 12 * MIB, 2).segment()).isEqualTo(1);
        assertThat(requests.get(2, 12 * MIB, 1).segment()).isZero();
    }

    @Test
    void freed_neighbours_become_one_block() {
        requests.getMany(0, 3, 6 * MIB);
        requests.free(0, 2, 1);
        assertThat(requests.get(3, 20 * MIB - 512)).isEqualTo(new Placement(StockPools.LARGE, 0, 0, 20 * MIB, false));
    }

    @Test
    void wholly_free_segments_stay_cached_until_the_cache_is_emptied() {
        requests.get(0, 12 * MIB);
        requests.free(0);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(12 * MIB, 0, 0));
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void releases_cached_segments_before_refusing() {
        requests.get(0, 60 * MIB);
        requests.free(0);
        requests.get(1, 70 * MIB);
        assertThat(allocator.counters().retries()).isEqualTo(1);
        assertThat(allocator.reservedBytes()).isEqualTo(70 * MIB);
    }

    @Test
    void refuses_when_live_blocks_hold_what_is_missing() {
        requests.getMany(0, 4, 12 * MIB);
        assertThat(requests.ask(9, 60 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.counters().ooms()).isEqualTo(1);
        assertThat(allocator.counters().retries()).isEqualTo(1);
        assertThat(allocator.free(9)).isFalse();
    }

    @Test
    void small_requests_fail_even_where_a_large_segment_has_room() {
        requests.get(0, 99 * MIB);
        requests.free(0);
        requests.get(0, 90 * MIB);
        assertThat(requests.ask(1, KIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
    }

    @Test
    void a_lowered_cap_releases_nothing_and_is_looked_at_when_more_is_asked_for() {
        requests.get(0, 30 * MIB);
        requests.get(1, 12 * MIB);
        requests.free(1);
        assertThat(allocator.limit(30 * MIB)).isEqualTo(12 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(42 * MIB);
        requests.get(2, 12 * MIB);
        requests.free(0, 2);
        assertThat(allocator.reservedBytes()).isEqualTo(42 * MIB);
        requests.get(3, 14 * MIB);
        assertThat(requests.ask(4, 20 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.reservedBytes()).isEqualTo(30 * MIB);
    }

    @Test
    void what_others_hold_cannot_be_taken() {
        allocator.setOutsideBytes(50 * MIB);
        assertThat(requests.ask(0, 51 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        requests.get(0, 50 * MIB);
    }

    @Test
    void a_block_that_a_stream_uses_is_pending_until_the_stream_is_done_after_the_free() {
        requests.get(0, 12 * MIB, 1);
        allocator.recordStream(0, 2);
        allocator.streamDone(2);
        requests.free(0);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, 0, 12 * MIB));
        assertThat(allocator.counters().activeBytes()).isEqualTo(12 * MIB);
        assertThat(requests.get(1, 12 * MIB, 1).segment()).isEqualTo(1);
        allocator.streamDone(2);
        assertThat(requests.get(2, 12 * MIB, 1).segment()).isZero();
    }

    @Test
    void releasing_before_refusing_waits_for_the_streams_that_use_freed_blocks() {
        requests.get(0, 60 * MIB, 1);
        allocator.recordStream(0, 2);
        requests.free(0);
        assertThat(allocator.counters().gap().pendingBytes()).isEqualTo(60 * MIB);
        requests.get(1, 70 * MIB);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, 0, 0));
    }

    @Test
    void emptying_the_cache_waits_too() {
        requests.get(0, 60 * MIB, 1);
        allocator.recordStream(0, 2);
        requests.free(0);
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void recording_the_stream_that_asked_changes_nothing() {
        requests.get(0, 12 * MIB, 1);
        allocator.recordStream(0, 1);
        requests.free(0);
        assertThat(allocator.counters().gap().pendingBytes()).isZero();
    }

    @Test
    void nothing_is_nothing() {
        assertThat(requests.ask(0, 0)).isEqualTo(Outcome.EMPTY);
        assertThat(allocator.free(0)).isFalse();
        assertThat(allocator.counters().allocations()).isZero();
    }

    @Test
    void requests_beyond_any_device_fail_without_releasing_anything() {
        requests.get(0, 12 * MIB);
        requests.free(0);
        assertThat(requests.ask(1, Long.MAX_VALUE)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.reservedBytes()).isEqualTo(12 * MIB);
        assertThat(allocator.counters().retries()).isZero();
    }

    @Test
    void a_name_cannot_stand_for_two_live_blocks() {
        requests.get(0, KIB);
        assertThatThrownBy(() -> requests.ask(0, KIB)).isInstanceOf(IllegalStateException.class);
    }
}
