/* The optimised policy: docs/allocator.md, "Segregated", "Fallback". */
#include "trainer.h"

enum {
    SHORT_SMALL = LACUNA_POOL_SHORT_SMALL,
    SHORT_LARGE = LACUNA_POOL_SHORT_LARGE,
    LONG_SMALL = LACUNA_POOL_LONG_SMALL,
    LONG_LARGE = LACUNA_POOL_LONG_LARGE,
    SETUP = LACUNA_PHASE_SETUP
};

static void a_range_is_shared_by_both_lifetimes_and_a_long_pool_reserves_what_it_holds(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    mark(a, SETUP, 1);
    CHECK_PLACED(a, take(a, 4096), LONG_SMALL, 0, 0, 4096);
    void *p = take(a, 3 * MIB);
    CHECK_PLACED(a, p, LONG_LARGE, 0, 0, 3 * MIB);
    mark(a, SETUP, 0);
    CHECK_PLACED(a, take(a, 4096), SHORT_SMALL, 0, 4096, 4096);
    CHECK_PLACED(a, take(a, 3 * MIB), SHORT_LARGE, 0, 3 * MIB, 3 * MIB);
    CHECK_EQ(count(a).reserved_bytes, (2 + 6) * MIB);
    CHECK_EQ(count(a).pools[LONG_SMALL].reserved_bytes, 4096);
    CHECK_EQ(count(a).pools[SHORT_SMALL].reserved_bytes, 2 * MIB - 4096);
    CHECK_EQ(count(a).pools[LONG_LARGE].reserved_bytes, 3 * MIB);
    CHECK_EQ(count(a).pools[SHORT_LARGE].reserved_bytes, 3 * MIB);
    CHECK_EQ(count(a).segments, 2);
    give(a, p);
    CHECK_EQ(count(a).pools[LONG_LARGE].reserved_bytes, 0);
    CHECK_EQ(count(a).pools[SHORT_LARGE].reserved_bytes, 6 * MIB);
    lacuna_close(a);
}

static void a_long_block_takes_the_high_end_of_a_piece_and_a_short_one_the_low_end(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 16 * KIB);
    take(a, 4096);
    give(a, p);
    mark(a, SETUP, 1);
    CHECK_PLACED(a, take(a, 4096), LONG_SMALL, 0, 12 * KIB, 4096);
    mark(a, SETUP, 0);
    CHECK_PLACED(a, take(a, 4096), SHORT_SMALL, 0, 0, 4096);
    lacuna_close(a);
}

static void a_big_block_takes_the_lowest_piece_and_others_the_best_fitting_one(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *wide = take(a, 6 * MIB), *wall = take(a, 2 * MIB), *narrow = take(a, 4 * MIB);
    take(a, 2 * MIB);
    give(a, wide);
    give(a, narrow);
    void *lowest = take(a, 4 * MIB);
    CHECK_PLACED(a, lowest, SHORT_LARGE, 0, 0, 4 * MIB);
    give(a, lowest);
    take(a, 800 * MIB); /* 4 MiB is less than 1/192 of the peak from now on */
    CHECK_PLACED(a, take(a, 4 * MIB), SHORT_LARGE, 0, 8 * MIB, 4 * MIB);
    (void)wall;
    lacuna_close(a);
}

static void whole_slots_are_placed_on_whole_slots(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    take(a, 3 * MIB);
    void *q = take(a, 9 * MIB);
    CHECK_PLACED(a, q, SHORT_LARGE, 0, 3 * MIB, 9 * MIB);
    take(a, MIB + 512);
    CHECK_PLACED(a, take(a, 4 * MIB), SHORT_LARGE, 0, 14 * MIB, 4 * MIB); /* grows beyond the rest of a slot */
    give(a, q);
    CHECK_PLACED(a, take(a, 8 * MIB), SHORT_LARGE, 0, 4 * MIB, 8 * MIB); /* of [3, 12) the end that is aligned */
    lacuna_close(a);
}

static void prefers_the_position_that_needs_the_fewest_new_chunks(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 3 * MIB), *q = take(a, 5 * MIB); /* [0,3) [3,8), all 4 slots mapped */
    give(a, p);
    /* 4 MiB don't fit below q; above it 2 new slots are needed. */
    CHECK_PLACED(a, take(a, 4 * MIB), SHORT_LARGE, 0, 8 * MIB, 4 * MIB);
    CHECK_PLACED(a, take(a, 5 * MIB / 2), SHORT_LARGE, 0, 0, 5 * MIB / 2);
    CHECK_EQ(count(a).reserved_bytes, 12 * MIB);
    give(a, q);
    lacuna_close(a);
}

static void extends_a_piece_into_the_hole_below_it(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 4 * MIB), *q = take(a, 3 * MIB);
    take(a, 5 * MIB); /* shares slot 3 with q */
    give(a, p);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK); /* slots 0 and 1 go */
    give(a, q);                                 /* hole [0,4), piece [4,7) */
    CHECK_PLACED(a, take(a, 5 * MIB), SHORT_LARGE, 0, 2 * MIB, 5 * MIB);
    CHECK_EQ(count(a).reserved_bytes, 10 * MIB);
    CHECK_EQ(count(a).segments, 1);
    lacuna_close(a);
}

static void grows_while_it_may_and_steals_only_then(void) {
    lacuna_agent *a = bookkeeper(8 * MIB, 1);
    give(a, take(a, 4 * MIB));
    give(a, take(a, 6 * MIB)); /* one more slot: room for it */
    void *p = take(a, 4096);
    CHECK_EQ(count(a).remaps, 0);
    CHECK_EQ(count(a).reserved_bytes, 8 * MIB);
    void *q = take(a, MIB), *r = take(a, MIB); /* the second does not fit beside the others */
    CHECK_EQ(count(a).remaps, 1);
    CHECK_EQ(count(a).reserved_bytes, 8 * MIB);
    CHECK_EQ(count(a).pools[SHORT_LARGE].reserved_bytes, 4 * MIB);
    CHECK_EQ(count(a).pools[SHORT_SMALL].reserved_bytes, 4 * MIB);
    CHECK_EQ(count(a).retries, 0);
    refuse(a, 6 * MIB);
    CHECK_EQ(count(a).ooms, 1);
    give(a, p);
    give(a, q);
    give(a, r);
    lacuna_close(a);
}

static void steals_the_lowest_slots_of_the_largest_piece_first(void) {
    lacuna_agent *a = bookkeeper(12 * MIB, 1);
    void *p[6];
    for (int i = 0; i < 6; i++) p[i] = take(a, 2 * MIB);
    give(a, p[0]);
    give(a, p[4]);
    give(a, p[5]);
    take(a, 4096); /* takes slot 4 */
    CHECK_EQ(count(a).remaps, 1);
    CHECK_PLACED(a, take(a, 2 * MIB), SHORT_LARGE, 0, 0, 2 * MIB);
    CHECK_PLACED(a, take(a, 2 * MIB), SHORT_LARGE, 0, 10 * MIB, 2 * MIB);
    CHECK_EQ(count(a).remaps, 1);
    lacuna_close(a);
}

static void does_not_steal_from_the_position_itself(void) {
    lacuna_agent *a = bookkeeper(8 * MIB, 1);
    void *p[4];
    for (int i = 0; i < 4; i++) p[i] = take(a, 2 * MIB);
    give(a, p[3]);
    /* 6 MiB fit only from there on upwards: two more chunks are needed, and none lies elsewhere. */
    refuse(a, 6 * MIB);
    CHECK_EQ(count(a).remaps, 0);
    CHECK_EQ(count(a).releasable_bytes, 2 * MIB);
    give(a, p[0]);
    CHECK_PLACED(a, take(a, 4 * MIB), SHORT_LARGE, 0, 6 * MIB, 4 * MIB);
    CHECK_EQ(count(a).remaps, 1);
    CHECK_EQ(count(a).segments, 1);
    lacuna_close(a);
}

/* Downwards from the idle piece one chunk would do, and there is none but those that it lies in. */
static void takes_a_place_that_can_be_filled_where_the_one_that_needs_least_cannot(void) {
    lacuna_agent *a = bookkeeper(10 * MIB, 1);
    lacuna_change c;
    void *below = take(a, 4 * MIB), *idle = take(a, 4 * MIB);
    take(a, 5 * MIB / 4);
    give(a, below);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK_EQ(lacuna_set_fraction(a, 0.61, 1, &c), LACUNA_OK);
    give(a, idle);
    CHECK_PLACED(a, take(a, 9 * MIB / 2), SHORT_LARGE, 0, 37 * MIB / 4, 9 * MIB / 2);
    CHECK_EQ(count(a).remaps, 2);
    CHECK_EQ(count(a).reserved_bytes, 6 * MIB);
    lacuna_close(a);
}

static void falls_back_to_the_large_pools(void) {
    lacuna_agent *a = bookkeeper(4 * MIB, 1);
    void *p = take(a, 3 * MIB); /* 1 MiB of the second slot is free */
    CHECK_PLACED(a, take(a, 4096), SHORT_LARGE, 0, 3 * MIB, 4096);
    CHECK_EQ(count(a).retries, 1);
    CHECK_EQ(count(a).ooms, 0);
    give(a, p);
    lacuna_close(a);
}

static void a_slot_shared_by_two_blocks_is_idle_only_when_both_are_gone(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 3 * MIB), *q = take(a, 3 * MIB); /* slot 1 is shared */
    CHECK_EQ(count(a).reserved_bytes, 6 * MIB);
    give(a, p);
    CHECK_EQ(count(a).releasable_bytes, 2 * MIB);
    CHECK_EQ(count(a).split_bytes, MIB);
    give(a, q);
    CHECK_EQ(count(a).releasable_bytes, 6 * MIB);
    CHECK_EQ(count(a).split_bytes, 0);
    lacuna_close(a);
}

static void extends_the_piece_below_the_tail_however_small(void) {
    lacuna_agent *a = bookkeeper(2 * GIB, 1);
    enum { GAPS = 20 };
    void *p[2 * GAPS];
    for (int i = 0; i < 2 * GAPS; i++) p[i] = take(a, 4 * MIB);
    take(a, 3 * MIB);
    for (int i = 0; i < 2 * GAPS; i += 2) give(a, p[i]); /* more and larger pieces than are tried */
    CHECK_PLACED(a, take(a, 9 * MIB), SHORT_LARGE, 0, (2 * GAPS * 4 + 3) * MIB, 9 * MIB);
    lacuna_close(a);
}

int main(void) {
    RUN(a_range_is_shared_by_both_lifetimes_and_a_long_pool_reserves_what_it_holds);
    RUN(a_long_block_takes_the_high_end_of_a_piece_and_a_short_one_the_low_end);
    RUN(a_big_block_takes_the_lowest_piece_and_others_the_best_fitting_one);
    RUN(whole_slots_are_placed_on_whole_slots);
    RUN(prefers_the_position_that_needs_the_fewest_new_chunks);
    RUN(extends_a_piece_into_the_hole_below_it);
    RUN(grows_while_it_may_and_steals_only_then);
    RUN(steals_the_lowest_slots_of_the_largest_piece_first);
    RUN(does_not_steal_from_the_position_itself);
    RUN(takes_a_place_that_can_be_filled_where_the_one_that_needs_least_cannot);
    RUN(falls_back_to_the_large_pools);
    RUN(a_slot_shared_by_two_blocks_is_idle_only_when_both_are_gone);
    RUN(extends_the_piece_below_the_tail_however_small);
    return 0;
}
