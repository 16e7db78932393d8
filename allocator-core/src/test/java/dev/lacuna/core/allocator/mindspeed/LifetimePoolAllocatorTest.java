package dev.lacuna.core.allocator.mindspeed;

import static dev.lacuna.core.allocator.Requests.MIB;
import static dev.lacuna.core.allocator.mindspeed.LifetimePool.DEFAULT_LARGE;
import static dev.lacuna.core.allocator.mindspeed.LifetimePool.DEFAULT_SMALL;
import static dev.lacuna.core.allocator.mindspeed.LifetimePool.LONG_LARGE;
import static dev.lacuna.core.allocator.mindspeed.LifetimePool.LONG_SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.allocator.model.Pool;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of docs/lifetime-pools.md, one by one, with outcomes worked out by hand. SHORT is what MindSpeed calls default. */
class LifetimePoolAllocatorTest {
    private Allocator allocator = new LifetimePoolAllocator(Device.ofCapacity(64L << 30));
    private Requests requests = new Requests(allocator);

    private void onDeviceOf(long bytes) {
        allocator = new LifetimePoolAllocator(Device.ofCapacity(bytes));
        requests = new Requests(allocator);
    }

    private void begin(Phase phase) {
        allocator.phase(phase, true);
    }

    private void end(Phase phase) {
        allocator.phase(phase, false);
    }

    private Placement getExactly(int id, long bytes) {
        begin(Phase.SETUP);
        Placement placement = requests.get(id, bytes);
        end(Phase.SETUP);
        return placement;
    }

    /** The forward pair inside model set-up, which starts no recording. */
    private void firstForwardPair() {
        begin(Phase.FORWARD);
        end(Phase.FORWARD);
    }

    // ---------------------------------------------------------------- sizes

    @ParameterizedTest
    @CsvSource({
        "0, 512, default.small",
        "1, 512, default.small",
        "511, 512, default.small",
        "512, 512, default.small",
        "513, 1024, default.small",
        "1048576, 1048576, default.small",
        "1048577, 1049088, default.large",
        "10485759, 10485760, default.large",
        "10485760, 10485760, default.large",
        "10485761, 10486272, default.large",
    })
    void requests_are_rounded_to_512_bytes_and_even_nothing_gets_a_block(long bytes, long block, String pool) {
        Placement placement = requests.get(0, bytes);
        assertThat(placement.blockBytes()).isEqualTo(block);
        assertThat(placement.pool().label()).isEqualTo(pool);
    }

    @ParameterizedTest
    @CsvSource({"512, 2", "1048577, 20", "10485248, 20", "10485249, 10", "10485760, 10", "10485761, 12"})
    void a_default_segment_has_2_or_20_mib_or_the_size_of_its_request(long bytes, long segmentMib) {
        requests.get(0, bytes);
        assertThat(allocator.reservedBytes()).isEqualTo(segmentMib * MIB);
    }

    @ParameterizedTest
    @CsvSource({"512, 2", "1048577, 2", "3145728, 4", "10485760, 10", "26214400, 26"})
    void a_long_segment_is_as_large_as_its_request_in_steps_of_2_mib(long bytes, long segmentMib) {
        getExactly(0, bytes);
        assertThat(allocator.reservedBytes()).isEqualTo(segmentMib * MIB);
    }

    // ---------------------------------------------------------------- exact matching

    @Test
    void exact_matching_puts_everything_into_the_long_pools() {
        begin(Phase.SETUP);
        assertThat(requests.get(0, 3 * MIB)).isEqualTo(new Placement(LONG_LARGE, 0, 0, 4 * MIB, false));
        assertThat(requests.get(1, 7 * MIB / 2)).isEqualTo(new Placement(LONG_LARGE, 1, 0, 4 * MIB, false));
        assertThat(requests.get(2, 100)).isEqualTo(new Placement(LONG_SMALL, 2, 0, 512, true));
        assertThat(requests.get(3, MIB)).isEqualTo(new Placement(LONG_SMALL, 2, 512, MIB, true));
        assertThat(requests.get(4, MIB + 512)).isEqualTo(new Placement(LONG_LARGE, 3, 0, 2 * MIB, false));
        assertThat(requests.get(5, 25 * MIB)).isEqualTo(new Placement(LONG_LARGE, 4, 0, 26 * MIB, false));

        MemoryCounters counters = allocator.counters();
        assertThat(counters.reservedBytes()).isEqualTo(39845888);
        assertThat(counters.allocatedBytes()).isEqualTo(38797824);
        assertThat(allocator.splitBlocks()).isEqualTo(1);
        assertThat(counters.gap().splitBytes()).isEqualTo(1048064);
    }

    @Test
    void a_long_block_leaves_a_sliver_when_rounding_up_would_waste_more_than_1_mib() {
        assertThat(getExactly(0, 2621440)).isEqualTo(new Placement(LONG_LARGE, 0, 0, 2621440, true));
        // The sliver is no whole segment: no long-lived request gets it, a short-lived one does.
        assertThat(getExactly(1, 1258291)).isEqualTo(new Placement(LONG_LARGE, 1, 0, 2 * MIB, false));
        assertThat(requests.get(2, 1258291)).isEqualTo(new Placement(LONG_LARGE, 0, 2621440, 1572864, true));
        requests.free(0);
        assertThat(getExactly(3, 2621440)).isEqualTo(new Placement(LONG_LARGE, 2, 0, 2621440, true));
    }

    @Test
    void a_long_request_reuses_only_a_whole_segment_of_its_own_size() {
        getExactly(0, 6 * MIB);
        getExactly(1, 4 * MIB);
        requests.free(0, 1);
        assertThat(getExactly(2, 5 * MIB + 1).segment()).isZero();
        requests.free(2);
        // The best fit for 3.5 MiB is the segment of 4 MiB; for 4 MiB + 1 it is that of 6 MiB.
        assertThat(getExactly(3, 7 * MIB / 2).segment()).isEqualTo(1);
        assertThat(getExactly(4, 7 * MIB / 2).segment()).isEqualTo(2);
        assertThat(getExactly(5, 4 * MIB + 1).segment()).isZero();
    }

    // ---------------------------------------------------------------- without pressure

    @Test
    void a_rest_of_1_mib_stays_with_its_block() {
        requests.get(0, 3 * MIB);
        requests.get(1, 9 * MIB);
        requests.get(2, 12 * MIB);
        requests.free(0, 1);
        assertThat(requests.get(3, 8 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 0, 8 * MIB, true));
        assertThat(requests.get(4, 11 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 8 * MIB, 12 * MIB, true));
    }

    @Test
    void outside_forward_passes_short_lives_may_split_free_long_memory() {
        getExactly(0, 7 * MIB / 2);
        requests.free(0);
        assertThat(requests.get(1, 7 * MIB / 2)).isEqualTo(new Placement(LONG_LARGE, 0, 0, 4 * MIB, false));
        requests.free(1);
        assertThat(requests.get(2, 5 * MIB / 2)).isEqualTo(new Placement(LONG_LARGE, 0, 0, 5 * MIB / 2, true));
        requests.free(2);
        assertThat(requests.get(3, 3 * MIB / 2)).isEqualTo(new Placement(LONG_LARGE, 0, 0, 3 * MIB / 2, true));
        assertThat(allocator.reservedBytes()).isEqualTo(4 * MIB);
    }

    @Test
    void long_lives_stay_out_of_default_memory() {
        requests.get(0, 10 * MIB);
        requests.free(0);
        assertThat(getExactly(1, 10 * MIB)).isEqualTo(new Placement(LONG_LARGE, 1, 0, 10 * MIB, false));
    }

    @Test
    void small_requests_share_the_small_pools_of_both_lifetimes() {
        getExactly(0, 100);
        assertThat(requests.get(1, 100)).isEqualTo(new Placement(LONG_SMALL, 0, 512, 512, true));
        assertThat(requests.get(2, MIB)).isEqualTo(new Placement(LONG_SMALL, 0, 1024, MIB, true));
        assertThat(requests.get(3, MIB)).isEqualTo(new Placement(DEFAULT_SMALL, 1, 0, MIB, true));
        assertThat(getExactly(4, MIB)).isEqualTo(new Placement(DEFAULT_SMALL, 1, MIB, MIB, true));
    }

    @Test
    void a_very_large_block_is_kept_whole_outside_forward_passes() {
        requests.get(0, 2048 * MIB);
        requests.free(0);
        assertThat(requests.get(1, 1024 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 1, 0, 1024 * MIB, false));
        assertThat(requests.get(2, 2040 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 0, 2040 * MIB, true));
    }

    @Test
    void a_very_large_block_may_be_split_within_a_forward_pass() {
        firstForwardPair();
        begin(Phase.FORWARD);
        requests.get(0, 600);
        end(Phase.FORWARD);
        requests.get(1, 2048 * MIB);
        requests.free(1);
        begin(Phase.FORWARD);
        assertThat(requests.get(2, 1024 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 1, 0, 1024 * MIB, true));
    }

    @Test
    void streams_do_not_share_free_blocks() {
        requests.get(0, 12 * MIB, 1);
        requests.free(0);
        assertThat(requests.get(1, 12 * MIB, 2).segment()).isEqualTo(1);
        assertThat(requests.get(2, 12 * MIB, 1).segment()).isZero();
    }

    @Test
    void emptying_the_cache_gives_back_whole_segments_only() {
        requests.get(0, 12 * MIB);
        requests.get(1, 2 * MIB);
        requests.get(2, 3 * MIB);
        getExactly(3, 100);
        requests.free(0, 2, 3);
        allocator.emptyCache();
        assertThat(allocator.reservedBytes()).isEqualTo(20 * MIB);
        assertThat(allocator.counters().segments()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- learning

    @Test
    void what_survived_the_last_forward_pass_or_step_is_long_lived() {
        getExactly(0, 10 * MIB);
        firstForwardPair();
        int first = 1;
        assertStep(first, 1, LONG_LARGE, 2, LONG_LARGE, 2, true);
        assertThat(allocator.reservedBytes()).isEqualTo(26 * MIB);
        assertStep(first + 10, 1, DEFAULT_LARGE, 4, DEFAULT_LARGE, 4, true);
        assertThat(allocator.reservedBytes()).isEqualTo(46 * MIB);
    }

    /** One step of two activations, a temporary and a gradient, all freed by its end. */
    private void assertStep(
            int id,
            int activationSegment,
            Pool temporaryPool,
            int temporarySegment,
            Pool gradientPool,
            int gradientSegment,
            boolean gradientSplit) {
        begin(Phase.STEP);
        begin(Phase.FORWARD);
        assertThat(requests.get(id, 6 * MIB))
                .isEqualTo(new Placement(LONG_LARGE, activationSegment, 0, 6 * MIB, false));
        Placement temporary = requests.get(id + 1, 6 * MIB);
        assertThat(temporary.pool()).isEqualTo(temporaryPool);
        assertThat(temporary.segment()).isEqualTo(temporarySegment);
        requests.free(id + 1);
        assertThat(requests.get(id + 2, 4 * MIB)).isEqualTo(new Placement(LONG_LARGE, 3, 0, 4 * MIB, false));
        end(Phase.FORWARD);
        assertThat(requests.get(id + 3, 4 * MIB))
                .isEqualTo(new Placement(gradientPool, gradientSegment, 0, 4 * MIB, gradientSplit));
        requests.free(id + 2, id, id + 3);
        end(Phase.STEP);
    }

    @Test
    void a_tensor_that_survives_its_step_is_long_lived_in_the_next() {
        for (int step = 0; step < 2; step++) {
            begin(Phase.STEP);
            requests.get(10 * step, 5 * MIB);
            assertThat(requests.poolOf(10 * step)).isEqualTo(step == 0 ? DEFAULT_LARGE : LONG_LARGE);
            end(Phase.STEP);
        }
    }

    @Test
    void a_request_that_fails_advances_no_clock() {
        begin(Phase.STEP);
        requests.get(0, 3 * MIB);
        assertThat(requests.ask(1, 80L << 30)).isEqualTo(Outcome.OUT_OF_MEMORY);
        requests.get(2, 5 * MIB);
        end(Phase.STEP);
        begin(Phase.STEP);
        requests.get(3, 4 * MIB);
        // 5 MiB came as the second block of the last step, and this is the second block of this one.
        assertThat(requests.get(4, 5 * MIB).pool()).isEqualTo(LONG_LARGE);
    }

    // ---------------------------------------------------------------- under pressure

    @Test
    void the_last_200_mib_are_asked_for_only_after_all_cached_memory_was_given_back() {
        onDeviceOf(1024 * MIB);
        allocator.setOutsideBytes(100 * MIB);
        requests.get(0, 500 * MIB);
        assertThat(allocator.counters().retries()).isZero();
        requests.get(1, 300 * MIB);
        assertThat(allocator.counters().retries()).isEqualTo(1);

        assertThat(requests.ask(2, 200 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.outOfMemoryMessage())
                .isEqualTo("NPU out of memory. Tried to allocate 200.00 MiB (NPU 0; 1024.00 MiB total capacity; "
                        + "800.00 MiB already allocated; 800.00 MiB current active; 124.00 MiB free; 800.00 MiB reserved "
                        + "in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb "
                        + "to avoid fragmentation.");

        requests.free(1);
        assertThat(requests.get(3, 310 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 2, 0, 310 * MIB, false));
        requests.free(0);
        requests.get(4, 200 * MIB);
        assertThat(requests.get(5, 200 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 200 * MIB, 200 * MIB, true));
        requests.free(4);
        assertThat(requests.ask(6, 450 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.outOfMemoryMessage())
                .contains("510.00 MiB already allocated; ", " 114.00 MiB free; 810.00 MiB reserved");
        assertThat(allocator.splitBlocks()).isEqualTo(2);
        assertThat(allocator.counters().gap().splitBytes()).isEqualTo(300 * MIB);
        assertThat(allocator.counters().retries()).isEqualTo(4);
        assertThat(allocator.counters().ooms()).isEqualTo(2);
    }

    @Test
    void before_the_first_segment_nothing_is_known_to_be_short() {
        onDeviceOf(40 * MIB);
        requests.get(0, 12 * MIB);
        assertThat(allocator.counters().retries()).isZero();
    }

    @Test
    void what_the_device_seems_to_hold_is_learned_only_by_asking_it() {
        onDeviceOf(1024 * MIB);
        requests.get(0, 100 * MIB);
        allocator.setOutsideBytes(800 * MIB);
        // 1024 MiB seem usable still: the device is asked, has only 124 MiB, and that is remembered.
        assertThat(requests.ask(1, 130 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        allocator.setOutsideBytes(0);
        requests.get(2, 12 * MIB);
        assertThat(allocator.counters().retries()).isEqualTo(2);
        requests.get(3, 12 * MIB);
        assertThat(allocator.counters().retries()).isEqualTo(2);
    }

    @Test
    void under_pressure_long_lives_take_default_memory_and_then_long_memory_of_any_size() {
        onDeviceOf(250 * MIB);
        requests.get(0, 40 * MIB);
        requests.free(0);
        assertThat(getExactly(1, 30 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 0, 30 * MIB, true));
        assertThat(allocator.counters().retries()).isZero();
        assertThat(getExactly(2, 12 * MIB)).isEqualTo(new Placement(LONG_LARGE, 1, 0, 12 * MIB, false));
        assertThat(allocator.counters().retries()).isEqualTo(1);
        requests.free(2);
        assertThat(getExactly(3, 9 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 30 * MIB, 10 * MIB, true));
        assertThat(getExactly(4, 5 * MIB)).isEqualTo(new Placement(LONG_LARGE, 1, 0, 5 * MIB, true));
        assertThat(allocator.counters().retries()).isEqualTo(1);
    }

    @Test
    void even_under_pressure_short_lives_stay_out_of_long_memory_in_a_forward_pass() {
        onDeviceOf(250 * MIB);
        getExactly(0, 40 * MIB);
        requests.free(0);
        firstForwardPair();
        begin(Phase.FORWARD);
        requests.get(1, 3 * MIB);
        requests.free(1);
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        // 44 MiB of free long memory are given back for it.
        assertThat(requests.get(2, 3 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 2, 0, 3 * MIB, true));
        assertThat(allocator.reservedBytes()).isEqualTo(20 * MIB);
    }

    @Test
    void under_pressure_small_requests_take_free_large_blocks() {
        onDeviceOf(210 * MIB);
        requests.get(0, 10 * MIB);
        requests.free(0);
        assertThat(requests.get(1, 100)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 0, 512, true));
        assertThat(allocator.counters().retries()).isZero();
    }

    @Test
    void the_last_segment_for_a_small_request_joins_a_large_pool() {
        onDeviceOf(210 * MIB);
        requests.get(0, 10 * MIB);
        assertThat(requests.get(1, MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 1, 0, 2 * MIB, false));
        assertThat(getExactly(2, 100)).isEqualTo(new Placement(LONG_LARGE, 2, 0, 512, true));
        assertThat(allocator.counters().retries()).isEqualTo(2);
    }

    @Test
    void giving_everything_back_waits_for_blocks_that_other_streams_use() {
        onDeviceOf(60 * MIB);
        requests.get(0, 30 * MIB);
        allocator.recordStream(0, 7);
        requests.free(0);
        assertThat(allocator.counters().gap().pendingBytes()).isEqualTo(30 * MIB);
        assertThat(requests.get(1, 40 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 1, 0, 40 * MIB, false));
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
    }

    @Test
    void a_block_whose_streams_are_done_is_free_at_the_next_request() {
        requests.get(0, 30 * MIB);
        allocator.recordStream(0, 7);
        requests.free(0);
        assertThat(requests.get(1, 30 * MIB).segment()).isEqualTo(1);
        allocator.streamDone(7);
        assertThat(requests.get(2, 30 * MIB).segment()).isZero();
    }

    @Test
    void a_cap_shrinks_nothing_and_is_named_when_it_refuses() {
        onDeviceOf(1024 * MIB);
        requests.get(0, 400 * MIB);
        requests.free(0);
        assertThat(allocator.fraction(0.25)).isEqualTo(144 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(400 * MIB);
        assertThat(requests.get(1, 300 * MIB)).isEqualTo(new Placement(DEFAULT_LARGE, 0, 0, 300 * MIB, true));
        assertThat(requests.ask(2, 200 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.outOfMemoryMessage())
                .contains("; 624.00 MiB free; 256.00 MiB allowed; 400.00 MiB reserved in total by PyTorch)");
    }

    @Test
    void a_small_request_that_fails_names_the_segment_it_wanted() {
        onDeviceOf(MIB);
        assertThat(requests.ask(0, 10)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.outOfMemoryMessage())
                .contains("Tried to allocate 2.00 MiB (NPU 0; 1024.00 KiB total capacity; 0 bytes already allocated; ");
    }

    @Test
    void no_request_is_too_large_to_be_refused() {
        assertThat(requests.ask(0, Long.MAX_VALUE)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.outOfMemoryMessage()).contains("Tried to allocate 8589934592.00 GiB ");
        assertThat(requests.ask(1, Long.MAX_VALUE - 3 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(requests.get(2, 600).blockBytes()).isEqualTo(1024);
    }

    @Test
    void the_pools_of_short_lives_are_called_default() {
        assertThat(DEFAULT_SMALL.label()).isEqualTo("default.small");
        assertThat(DEFAULT_LARGE.label()).isEqualTo("default.large");
        assertThat(LONG_LARGE.label()).isEqualTo("long.large");
    }
}
