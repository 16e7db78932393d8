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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachingOptionsTest {
    private static final CachingOptions PYTORCH = CachingOptions.PYTORCH;

    private CachingAllocator allocator;
    private Requests requests;

    private void on(long capacityMib, CachingOptions options) {
        allocator = new CachingAllocator(Device.ofCapacity(capacityMib * MIB), options);
        requests = new Requests(allocator);
    }

    /** Segments of these many MiB, all free but cached. Those that could be split have to be given in falling order. */
    private void cache(long... mib) {
        for (int id = 0; id < mib.length; id++) {
            requests.get(id, mib[id] * MIB);
        }
        for (int id = 0; id < mib.length; id++) {
            requests.free(id);
        }
    }

    @Nested
    class Max_split_size {
        @Test
        void a_block_as_large_is_handed_out_whole() {
            on(1000, PYTORCH.withMaxSplitBytes(20 * MIB));
            cache(40);
            assertThat(requests.get(0, 30 * MIB)).isEqualTo(new Placement(StockPools.LARGE, 0, 0, 40 * MIB, false));
            assertThat(allocator.counters().roundingBytes()).isEqualTo(10 * MIB);
        }

        @Test
        void a_smaller_request_does_not_get_it_and_does_not_look_further() {
            on(1000, PYTORCH.withMaxSplitBytes(32 * MIB));
            cache(40);
            assertThat(requests.get(0, 12 * MIB).segment()).isEqualTo(1);
            requests.free(0);
            assertThat(requests.get(0, 11 * MIB).segment()).isEqualTo(1);
        }

        @Test
        void smaller_blocks_are_split_as_ever() {
            on(1000, PYTORCH.withMaxSplitBytes(32 * MIB));
            cache(30);
            assertThat(requests.get(0, 12 * MIB)).isEqualTo(new Placement(StockPools.LARGE, 0, 0, 12 * MIB, true));
        }

        @ParameterizedTest
        @CsvSource({"40, 20, 1, 40", "41, 20, 0, 60", "30, 31, 0, 60", "29, 31, 1, 30"})
        void a_block_may_exceed_its_request_by_less_than_max_non_split_rounding(
                long request, long rounding, int segment, long block) {
            on(1000, PYTORCH.withMaxSplitBytes(20 * MIB).withMaxNonSplitRoundingBytes(rounding * MIB));
            cache(60);
            Placement placement = requests.get(0, request * MIB);
            assertThat(placement.segment()).isEqualTo(segment);
            assertThat(placement.blockBytes()).isEqualTo(block * MIB);
        }

        @Test
        void the_smallest_cached_segment_that_is_large_enough_makes_room() {
            on(200, PYTORCH.withMaxSplitBytes(20 * MIB));
            cache(70, 60, 22);
            requests.get(0, 26 * MIB);
            requests.get(1, 30 * MIB);
            assertThat(allocator.reservedBytes()).isEqualTo((70 + 22 + 26 + 30) * MIB);
            assertThat(allocator.counters().retries()).isZero();
        }

        @Test
        void the_largest_cached_segments_make_room_together() {
            on(100, PYTORCH.withMaxSplitBytes(20 * MIB));
            cache(40, 30, 12);
            requests.get(0, 65 * MIB);
            assertThat(allocator.reservedBytes()).isEqualTo((12 + 66) * MIB);
            assertThat(allocator.counters().retries()).isZero();
        }

        @Test
        void only_segments_of_the_same_stream_make_room_before_all_are_released() {
            on(100, PYTORCH.withMaxSplitBytes(20 * MIB));
            cache(40, 30);
            requests.get(0, 65 * MIB, 1);
            assertThat(allocator.reservedBytes()).isEqualTo(66 * MIB);
            assertThat(allocator.counters().retries()).isEqualTo(1);
        }

        @Test
        void where_they_do_not_suffice_everything_is_released_and_counted_as_a_retry() {
            on(100, PYTORCH.withMaxSplitBytes(20 * MIB));
            requests.get(9, 50 * MIB);
            cache(30, 12);
            assertThat(requests.ask(0, 60 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
            assertThat(allocator.reservedBytes()).isEqualTo(50 * MIB);
            assertThat(allocator.counters().retries()).isEqualTo(1);
            assertThat(allocator.counters().ooms()).isEqualTo(1);
        }
    }

    @Nested
    class Garbage_collection {
        private final CachingOptions half = PYTORCH.withGarbageCollectionThreshold(0.5);

        /** A of 20 MiB was used by the first search only, B of 22 MiB by the fifth; then 28 and 24 MiB are asked for. */
        private void age() {
            requests.get(0, 20 * MIB);
            requests.get(1, 22 * MIB);
            requests.free(0, 1);
            for (int search = 3; search <= 5; search++) {
                requests.get(1, 22 * MIB);
                requests.free(1);
            }
            requests.get(2, 28 * MIB);
            requests.get(3, 24 * MIB);
        }

        @Test
        void releases_what_was_not_used_for_longer_than_the_average_once_the_threshold_is_passed() {
            on(1000, half.withFraction(0.1));
            age();
            assertThat(allocator.reservedBytes()).isEqualTo((22 + 28 + 24) * MIB);
            assertThat(allocator.counters().gap()).isEqualTo(new GapParts(22 * MIB, 0, 0));
        }

        @Test
        void goes_on_with_younger_ones_until_the_excess_is_gone() {
            on(1000, half.withFraction(0.1));
            age();
            // 74 MiB are reserved, 24 too many; B is all there is.
            requests.get(4, 25 * MIB);
            assertThat(allocator.reservedBytes()).isEqualTo((28 + 24 + 26) * MIB);
        }

        @Test
        void needs_a_cap_below_the_capacity() {
            on(100, half);
            age();
            assertThat(allocator.counters().gap()).isEqualTo(new GapParts(42 * MIB, 0, 0));
        }

        @Test
        void leaves_partly_used_and_small_segments_alone() {
            on(1000, half.withFraction(0.1));
            requests.get(0, KIB);
            requests.get(1, 12 * MIB);
            requests.get(2, 40 * MIB);
            requests.free(1);
            requests.get(3, 6 * MIB);
            requests.get(4, 6 * MIB);
            requests.free(0, 3);
            requests.get(5, 30 * MIB);
            assertThat(allocator.reservedBytes()).isEqualTo((2 + 12 + 40 + 30) * MIB);
        }
    }

    @Nested
    class Sizes {
        @ParameterizedTest
        @CsvSource({"480, 512", "481, 1024", "512, 1024", "1048576, 1049088"})
        void a_pad_is_added_before_rounding_and_is_not_requested(long bytes, long block) {
            on(100, CachingOptions.TORCH_NPU);
            assertThat(requests.get(0, bytes).blockBytes()).isEqualTo(block);
            assertThat(allocator.counters().requestedBytes()).isEqualTo(bytes);
        }

        @Test
        void a_padded_mebibyte_is_a_large_request() {
            on(100, CachingOptions.TORCH_NPU);
            assertThat(requests.get(0, MIB - 32).pool()).isEqualTo(StockPools.SMALL);
            assertThat(requests.get(1, MIB - 31).pool()).isEqualTo(StockPools.LARGE);
        }

        @ParameterizedTest
        @CsvSource({"1048576, 2", "1048577, 32", "10485248, 32", "10485249, 10"})
        void large_segments_may_have_another_size(long bytes, long segmentMib) {
            on(100, PYTORCH.withLargeSegmentBytes(32 * MIB));
            requests.get(0, bytes);
            assertThat(allocator.reservedBytes()).isEqualTo(segmentMib * MIB);
        }

        @Test
        void large_segments_need_not_be_whole_slots() {
            on(100, PYTORCH.withLargeSegmentBytes(11 * MIB));
            requests.getMany(0, 3, 9 * MIB);
            assertThat(allocator.reservedBytes()).isEqualTo(33 * MIB);
            requests.free(0, 1, 2);
            allocator.emptyCache();
            assertThat(allocator.reservedBytes()).isZero();
        }

        @ParameterizedTest
        @CsvSource({"1048576, 2", "1048577, 1024", "1073741824, 1024", "1073741825, 2048"})
        void huge_pages_make_large_segments_whole_gibibytes(long bytes, long segmentMib) {
            on(4096, CachingOptions.TORCH_NPU.withPadBytes(0).withHugePages(true));
            requests.get(0, bytes);
            assertThat(allocator.reservedBytes()).isEqualTo(segmentMib * MIB);
        }

        @Test
        void requests_are_rounded_to_divisions_of_powers_of_two() {
            on(100, PYTORCH.withRoundup(RoundupDivisions.everywhere(4)));
            assertThat(requests.get(0, 5 * MIB + 1).blockBytes()).isEqualTo(6 * MIB);
            assertThat(requests.get(1, 6 * MIB).blockBytes()).isEqualTo(6 * MIB);
            assertThat(allocator.counters().requestedBytes()).isEqualTo(11 * MIB + 1);
        }

        @Test
        void a_fraction_caps_from_the_beginning() {
            on(100, PYTORCH.withFraction(0.5));
            assertThat(requests.ask(0, 51 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
            assertThat(allocator.counters().limitBytes()).isEqualTo(50 * MIB);
        }
    }

    @Nested
    class Checks {
        @Test
        void what_pytorch_refuses_is_refused_with_the_name_of_the_option() {
            assertRefused(() -> PYTORCH.withMaxSplitBytes(19 * MIB), "max_split_size_mb");
            assertRefused(() -> PYTORCH.withMaxNonSplitRoundingBytes(19 * MIB), "max_non_split_rounding_mb");
            assertRefused(() -> PYTORCH.withLargeSegmentBytes(10 * MIB), "large_segment_size_mb");
            assertRefused(() -> PYTORCH.withGarbageCollectionThreshold(1), "garbage_collection_threshold");
            assertRefused(() -> PYTORCH.withGarbageCollectionThreshold(Double.NaN), "garbage_collection_threshold");
            assertRefused(() -> PYTORCH.withFraction(0), "per_process_memory_fraction");
            assertRefused(() -> PYTORCH.withPadBytes(-1), "added to a request");
        }

        private void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable making, String option) {
            assertThatThrownBy(making)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(option);
        }
    }
}
