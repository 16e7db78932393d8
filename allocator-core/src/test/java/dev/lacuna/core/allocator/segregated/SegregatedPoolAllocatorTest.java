package dev.lacuna.core.allocator.segregated;

import static dev.lacuna.core.allocator.Requests.KIB;
import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.Requests;
import dev.lacuna.core.allocator.caching.StockPools;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Placement;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.counters.SafeLimit;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SegregatedPoolAllocatorTest {
    private final SegregatedPoolAllocator allocator = new SegregatedPoolAllocator(Device.ofCapacity(40 * MIB));
    private final Requests requests = new Requests(allocator);

    @Test
    void set_up_is_long_lived_and_what_is_unknown_short_lived() {
        allocator.phase(Phase.SETUP, true);
        assertThat(requests.get(0, KIB).pool()).isEqualTo(SegregatedPools.LONG_SMALL);
        assertThat(requests.get(1, 2 * MIB).pool()).isEqualTo(SegregatedPools.LONG_LARGE);
        allocator.phase(Phase.SETUP, false);
        assertThat(requests.get(2, MIB).pool()).isEqualTo(SegregatedPools.SHORT_SMALL);
        assertThat(requests.get(3, MIB + 1).pool()).isEqualTo(SegregatedPools.SHORT_LARGE);
    }

    @Test
    void what_outlived_a_step_is_placed_with_the_long_lived_in_the_next() {
        allocator.phase(Phase.STEP, true);
        requests.get(0, 3 * MIB);
        allocator.phase(Phase.STEP, false);
        allocator.phase(Phase.STEP, true);
        assertThat(requests.get(1, 3 * MIB).pool()).isEqualTo(SegregatedPools.LONG_LARGE);
        assertThat(requests.get(2, 3 * MIB).pool()).isEqualTo(SegregatedPools.SHORT_LARGE);
    }

    @Test
    void only_touched_slots_take_memory() {
        requests.get(0, 3 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(4 * MIB);
        requests.get(1, 3 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(6 * MIB);
        assertThat(requests.where(1).offsetBytes()).isEqualTo(3 * MIB);
    }

    /** Downwards from the idle piece one chunk would do, and there is none but those that it lies in. */
    @Test
    void a_place_that_can_be_filled_is_taken_where_the_one_that_needs_least_cannot() {
        requests.getMany(0, 2, 4 * MIB);
        requests.get(2, MIB + 256 * KIB);
        requests.free(0);
        allocator.emptyCache();
        allocator.limit(6 * MIB);
        requests.free(1);
        assertThat(requests.get(3, 4 * MIB + 512 * KIB).offsetBytes()).isEqualTo(9 * MIB + 256 * KIB);
        assertThat(allocator.reservedBytes()).isEqualTo(6 * MIB);
    }

    @Test
    void whole_slots_are_placed_on_whole_slots() {
        requests.get(0, 3 * MIB);
        assertThat(requests.get(1, 4 * MIB).offsetBytes()).isEqualTo(4 * MIB);
        assertThat(allocator.reservedBytes()).isEqualTo(8 * MIB);
    }

    @Test
    void both_lifetimes_share_a_range_and_a_long_pool_reserves_what_it_holds() {
        allocator.phase(Phase.SETUP, true);
        requests.getMany(0, 7, 5 * MIB);
        allocator.phase(Phase.SETUP, false);
        requests.free(1);
        Placement gap = requests.get(8, 5 * MIB);
        assertThat(gap.pool()).isEqualTo(SegregatedPools.SHORT_LARGE);
        assertThat(gap.offsetBytes()).isEqualTo(5 * MIB);
        assertThat(allocator.counters().pool(PoolName.LONG_LARGE).reservedBytes())
                .isEqualTo(30 * MIB);
        assertThat(allocator.counters().pool(PoolName.SHORT_LARGE).reservedBytes())
                .isEqualTo(6 * MIB);
    }

    @Test
    void a_long_block_takes_the_high_end_of_a_piece_and_a_short_one_the_low_end() {
        requests.get(0, 16 * KIB);
        requests.get(1, 4 * KIB);
        requests.free(0);
        allocator.phase(Phase.SETUP, true);
        assertThat(requests.get(2, 4 * KIB).offsetBytes()).isEqualTo(12 * KIB);
        allocator.phase(Phase.SETUP, false);
        assertThat(requests.get(3, 4 * KIB).offsetBytes()).isZero();
    }

    @Test
    void a_big_block_takes_the_lowest_piece_and_others_the_best_fitting_one() {
        SegregatedPoolAllocator roomy = new SegregatedPoolAllocator(Device.ofCapacity(1024 * MIB));
        Requests there = new Requests(roomy);
        there.get(0, 6 * MIB);
        there.get(1, 2 * MIB);
        there.get(2, 4 * MIB);
        there.get(3, 2 * MIB);
        there.free(0, 2);
        assertThat(there.get(4, 4 * MIB).offsetBytes()).isZero();
        there.free(4);
        there.get(5, 800 * MIB);
        assertThat(there.get(6, 4 * MIB).offsetBytes()).isEqualTo(8 * MIB);
    }

    @Test
    void a_place_that_holds_memory_is_preferred_to_a_tighter_one_that_does_not() {
        requests.getMany(0, 3, 4 * MIB);
        requests.free(0);
        allocator.emptyCache();
        requests.get(3, 6 * MIB);
        requests.get(4, 4 * MIB + 512);
        requests.free(3);
        assertThat(requests.get(5, 4 * MIB).offsetBytes()).isEqualTo(12 * MIB);
    }

    @Test
    void of_two_ends_of_an_extent_the_one_that_shares_a_slot_wins() {
        requests.get(0, 4 * MIB);
        requests.get(1, 5 * MIB);
        requests.get(2, 5 * MIB);
        requests.free(1);
        allocator.emptyCache();
        // Free: 4 … 9 MiB; the slot 8 … 10 still holds block 2's memory, so the high end needs less.
        assertThat(requests.get(3, 3 * MIB).offsetBytes()).isEqualTo(6 * MIB);
    }

    @Test
    void with_memory_to_spare_nothing_is_moved() {
        requests.get(0, 10 * MIB);
        requests.free(0);
        requests.get(1, KIB);
        assertThat(allocator.counters().remaps()).isZero();
        assertThat(allocator.reservedBytes()).isEqualTo(12 * MIB);
    }

    @Test
    void chunks_flow_to_the_pool_that_needs_them_when_memory_is_short() {
        requests.get(0, 40 * MIB);
        requests.free(0);
        assertThat(requests.get(1, KIB).pool()).isEqualTo(SegregatedPools.SHORT_SMALL);
        assertThat(allocator.counters().remaps()).isEqualTo(1);
        assertThat(allocator.counters().retries()).isZero();
        assertThat(allocator.reservedBytes()).isEqualTo(40 * MIB);
        assertThat(allocator.counters().pool(PoolName.SHORT_LARGE).reservedBytes())
                .isEqualTo(38 * MIB);
    }

    @Test
    void the_lowest_chunks_of_the_largest_piece_move_first() {
        requests.get(0, 4 * MIB);
        requests.get(1, 6 * MIB);
        requests.get(2, 10 * MIB);
        requests.get(3, 20 * MIB);
        requests.free(0, 2);
        requests.get(4, KIB);
        assertThat(allocator.counters().remaps()).isEqualTo(1);
        assertThat(requests.get(5, 4 * MIB).offsetBytes()).isZero();
        assertThat(requests.get(6, 8 * MIB).offsetBytes()).isEqualTo(12 * MIB);
        assertThat(allocator.counters().remaps()).isEqualTo(1);
    }

    @Test
    void a_failed_placement_changes_nothing_but_the_count() {
        requests.get(0, 38 * MIB);
        GapParts before = allocator.counters().gap();
        assertThat(requests.ask(1, 4 * MIB)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(allocator.counters().gap()).isEqualTo(before);
        assertThat(allocator.reservedBytes()).isEqualTo(38 * MIB);
        assertThat(allocator.counters().ooms()).isEqualTo(1);
    }

    @Test
    void a_small_request_takes_a_gap_among_large_blocks_before_failing() {
        requests.getMany(0, 26, MIB + 512 * KIB);
        requests.free(1);
        assertThat(requests.get(26, MIB).pool()).isEqualTo(SegregatedPools.SHORT_LARGE);
        assertThat(allocator.counters().retries()).isEqualTo(1);
    }

    @Test
    void freed_chunks_stay_mapped_and_are_releasable() {
        requests.get(0, 5 * MIB);
        requests.get(1, 5 * MIB);
        requests.free(0);
        // Slot 4 … 6 is shared with block 1.
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(4 * MIB, MIB, 0));
        allocator.emptyCache();
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, MIB, 0));
    }

    @Test
    void switching_off_keeps_blocks_where_they_are_and_returns_free_chunks() {
        requests.get(0, 4 * MIB);
        requests.get(1, 4 * MIB);
        requests.free(1);
        Placement before = requests.where(0);
        allocator.optimisation(false);
        assertThat(requests.where(0)).isEqualTo(new Placement(before.pool(), 0, before.offsetBytes(), 4 * MIB, false));
        assertThat(allocator.reservedBytes()).isEqualTo(4 * MIB);
        assertThat(requests.get(2, 4 * MIB).pool()).isEqualTo(StockPools.LARGE);
    }

    @Test
    void a_policy_that_was_left_is_drained() {
        requests.get(0, 4 * MIB);
        allocator.optimisation(false);
        requests.get(1, 4 * MIB);
        requests.free(0);
        assertThat(allocator.reservedBytes()).isEqualTo(20 * MIB);
        allocator.optimisation(true);
        requests.free(1);
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void stock_rules_borrow_only_what_is_mapped_already() {
        requests.get(0, 19 * MIB);
        requests.get(1, 19 * MIB);
        allocator.optimisation(false);
        requests.free(0);
        allocator.limit(20 * MIB);
        // Of block 0's slots only the one that it shared with block 1 is left.
        assertThat(requests.ask(2, MIB + 512)).isEqualTo(Outcome.OUT_OF_MEMORY);
        assertThat(requests.get(3, MIB)).isEqualTo(new Placement(SegregatedPools.SHORT_LARGE, 0, 18 * MIB, MIB, true));
    }

    @Test
    void the_segregated_policy_borrows_free_pieces_of_stock_segments() {
        allocator.optimisation(false);
        requests.get(0, 6 * MIB);
        requests.get(1, 15 * MIB);
        requests.get(2, MIB + 512);
        allocator.optimisation(true);
        requests.get(3, 12 * MIB);
        requests.get(4, 4 * MIB);
        // Of 7 MiB + 512 to 20 MiB what is left ends at 8 MiB.
        assertThat(requests.get(5, MIB - 512))
                .isEqualTo(new Placement(StockPools.LARGE, 0, 7 * MIB + 512, MIB - 512, true));
        assertThat(allocator.counters().retries()).isEqualTo(1);
    }

    @Test
    void switching_on_takes_whole_free_chunks_out_of_segments_that_are_in_use() {
        allocator.optimisation(false);
        requests.get(0, 3 * MIB);
        requests.get(1, 8 * MIB);
        requests.get(2, 9 * MIB);
        requests.free(1);
        allocator.optimisation(true);
        assertThat(allocator.reservedBytes()).isEqualTo(14 * MIB);
        assertThat(allocator.counters().gap()).isEqualTo(new GapParts(0, 2 * MIB, 0));
        assertThat(requests.where(0)).isEqualTo(new Placement(StockPools.LARGE, 0, 0, 3 * MIB, true));
        assertThat(requests.where(2)).isEqualTo(new Placement(StockPools.LARGE, 1, MIB, 9 * MIB, true));
        assertThat(requests.get(3, 26 * MIB).pool()).isEqualTo(SegregatedPools.SHORT_LARGE);
        requests.free(2);
        requests.free(0);
        assertThat(allocator.reservedBytes()).isEqualTo(26 * MIB);
    }

    @Test
    void a_block_freed_in_an_old_segment_gives_its_whole_chunks_back_at_once() {
        allocator.optimisation(false);
        requests.getMany(0, 4, 5 * MIB);
        allocator.optimisation(true);
        requests.free(1);
        assertThat(allocator.reservedBytes()).isEqualTo(16 * MIB);
        requests.free(2);
        assertThat(allocator.reservedBytes()).isEqualTo(12 * MIB);
        assertThat(requests.where(3)).isEqualTo(new Placement(StockPools.LARGE, 1, MIB, 5 * MIB, true));
        requests.free(0);
        allocator.optimisation(false);
        requests.free(3);
        assertThat(requests.get(4, 6 * MIB)).isEqualTo(new Placement(StockPools.LARGE, 1, 0, 6 * MIB, false));
    }

    @Test
    void while_reserved_is_above_the_cap_freed_chunks_are_given_back_one_by_one() {
        requests.get(0, 10 * MIB);
        requests.get(1, 10 * MIB);
        assertThat(allocator.limit(14 * MIB)).isEqualTo(6 * MIB);
        requests.free(1);
        assertThat(allocator.reservedBytes()).isEqualTo(14 * MIB);
        assertThat(allocator.counters().gap().releasableBytes()).isEqualTo(4 * MIB);
    }

    @Test
    void a_model_replays_no_steps_so_that_its_lowest_safe_cap_is_the_peak_reserved() {
        requests.get(0, 3 * MIB);
        assertThat(allocator.counters().safeLimit()).isEqualTo(SafeLimit.peakReserved(4 * MIB));
        allocator.phase(Phase.STEP, true);
        requests.get(1, 6 * MIB);
        requests.free(1);
        allocator.phase(Phase.STEP, false);
        allocator.emptyCache();
        assertThat(allocator.counters().lowestSafeLimitBytes()).isEqualTo(10 * MIB);
        assertThat(allocator.counters().lastStepPeakAllocatedBytes()).isEqualTo(OptionalLong.of(9 * MIB));
        assertThat(allocator.counters().lastStepPeakReservedBytes()).isEqualTo(OptionalLong.of(10 * MIB));
        assertThat(allocator.counters().step()).isEqualTo(1);
    }

    @Test
    void steps_are_counted_by_their_outermost_marks() {
        allocator.phase(Phase.STEP, false);
        allocator.phase(Phase.STEP, true);
        allocator.phase(Phase.STEP, true);
        allocator.phase(Phase.STEP, false);
        assertThat(allocator.counters().step()).isZero();
        assertThat(allocator.counters().phases()).containsExactly(Phase.STEP);
        allocator.phase(Phase.STEP, false);
        assertThat(allocator.counters().step()).isEqualTo(1);
    }
}
