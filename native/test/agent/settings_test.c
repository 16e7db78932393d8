/* The live switch, the cap and its guard, draining, releasing: docs/allocator.md. */
#include "trainer.h"

#include <math.h>

static void switch_to(lacuna_agent *a, int on) {
    CHECK_EQ(lacuna_set_optimisation(a, on, NULL), LACUNA_OK);
    CHECK(agent_is_valid(a));
}

static void switching_releases_what_is_wholly_free_and_moves_no_block(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    void *kept = take(a, 4096);
    give(a, take(a, 30 * MIB));
    lacuna_change change;
    CHECK_EQ(lacuna_set_optimisation(a, 1, &change), LACUNA_OK);
    CHECK_EQ(change.before.reserved_bytes, 32 * MIB);
    CHECK_EQ(change.after.reserved_bytes, 2 * MIB);
    CHECK_EQ(change.before.optimisation, 0);
    CHECK_EQ(change.after.optimisation, 1);
    CHECK_PLACED(a, kept, LACUNA_POOL_STOCK_SMALL, 0, 0, 4096);
    void *p = take(a, 4096);
    CHECK_EQ(place(a, p).pool, LACUNA_POOL_SHORT_SMALL);
    give(a, kept); /* drains: the segment goes at once */
    CHECK_EQ(count(a).pools[LACUNA_POOL_STOCK_SMALL].reserved_bytes, 0);
    CHECK_EQ(count(a).reserved_bytes, 2 * MIB);
    switch_to(a, 0);
    CHECK_EQ(count(a).reserved_bytes, 2 * MIB);
    give(a, p);
    CHECK_EQ(count(a).reserved_bytes, 0);
    CHECK_EQ(count(a).segments, 0);
    lacuna_close(a);
}

static void the_policy_that_is_off_still_serves_before_an_out_of_memory(void) {
    lacuna_agent *a = bookkeeper(24 * MIB, 0);
    void *p = take(a, 5 * MIB); /* 20 MiB, 15 of them free */
    switch_to(a, 1);            /* of which 14 go */
    void *r = take(a, 18 * MIB);
    CHECK_EQ(place(a, r).pool, LACUNA_POOL_SHORT_LARGE);
    void *q = take(a, MIB); /* nothing can grow: stock serves */
    CHECK_PLACED(a, q, LACUNA_POOL_STOCK_LARGE, 0, 5 * MIB, MIB);
    CHECK_EQ(count(a).retries, 1);
    switch_to(a, 0);
    give(a, p);
    refuse(a, 6 * MIB); /* the stock pool has a piece of 5 MiB, and nothing can grow */
    CHECK_PLACED(a, take(a, 5 * MIB), LACUNA_POOL_STOCK_LARGE, 0, 0, 5 * MIB);
    lacuna_close(a);
}

/* Bytes that tell one block from another and a page from the next. */
static void write_over(void *block, uint64_t size, unsigned char salt) {
    unsigned char *bytes = block;
    for (uint64_t i = 0; i < size; i += 512) bytes[i] = (unsigned char)(salt + i / 512 * 37);
}

static void read_back(const void *block, uint64_t size, unsigned char salt) {
    const unsigned char *bytes = block;
    for (uint64_t i = 0; i < size; i += 512) CHECK_EQ(bytes[i], (unsigned char)(salt + i / 512 * 37));
}

static void switching_on_takes_whole_free_chunks_out_of_segments_that_are_in_use(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 64 * MIB});
    void *low = take(a, 3 * MIB), *gap = take(a, 8 * MIB), *high = take(a, 9 * MIB); /* one segment, full */
    void *first = take(a, 13 * MIB), *last = take(a, 7 * MIB);
    CHECK_PLACED(a, high, LACUNA_POOL_STOCK_LARGE, 0, 11 * MIB, 9 * MIB);
    write_over(low, 3 * MIB, 1);
    write_over(high, 9 * MIB, 2);
    write_over(last, 7 * MIB, 3);
    give(a, gap);
    give(a, first);
    CHECK_EQ(count(a).reserved_bytes, 54 * MIB);
    CHECK_EQ(count(a).segments, 3);
    switch_to(a, 1);
    /* The 14 MiB of `first`; of 3 … 11 MiB what lies between 4 and 10; what lies above 8 MiB beside `last`. */
    CHECK_EQ(count(a).reserved_bytes, 22 * MIB);
    CHECK_EQ(count(a).segments, 3);
    CHECK_EQ(count(a).split_bytes, 3 * MIB);
    CHECK_PLACED(a, low, LACUNA_POOL_STOCK_LARGE, 0, 0, 3 * MIB);
    CHECK_PLACED(a, high, LACUNA_POOL_STOCK_LARGE, 3, MIB, 9 * MIB);
    void *ours = take(a, 40 * MIB); /* there was room for 24 */
    CHECK_EQ(place(a, ours).pool, LACUNA_POOL_SHORT_LARGE);
    write_over(ours, 40 * MIB, 4);
    read_back(low, 3 * MIB, 1);
    read_back(high, 9 * MIB, 2);
    read_back(last, 7 * MIB, 3);
    give(a, high); /* drains whole: 10 … 20 MiB */
    give(a, low);
    give(a, last);
    read_back(ours, 40 * MIB, 4);
    CHECK_EQ(count(a).reserved_bytes, 40 * MIB);
    CHECK_EQ(count(a).segments, 1);
    give(a, ours);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 0);
    CHECK_EQ(count(a).allocations, count(a).frees);
    lacuna_close(a);
}

static void a_block_freed_in_an_old_segment_gives_its_whole_chunks_back_at_once(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 0);
    void *p[4];
    for (int i = 0; i < 4; i++) p[i] = take(a, 5 * MIB);
    switch_to(a, 1);
    CHECK_EQ(count(a).reserved_bytes, 20 * MIB);
    give(a, p[1]); /* 5 … 10 MiB: from 6 on */
    CHECK_EQ(count(a).reserved_bytes, 16 * MIB);
    CHECK_EQ(count(a).segments, 2);
    CHECK_PLACED(a, p[2], LACUNA_POOL_STOCK_LARGE, 1, 0, 5 * MIB);
    give(a, p[2]); /* 10 … 15 MiB: up to 14 */
    CHECK_EQ(count(a).reserved_bytes, 12 * MIB);
    CHECK_PLACED(a, p[3], LACUNA_POOL_STOCK_LARGE, 1, MIB, 5 * MIB);
    give(a, p[0]);
    CHECK_EQ(count(a).reserved_bytes, 6 * MIB);
    switch_to(a, 0); /* the stock rules go on with what is left of the segments */
    CHECK_PLACED(a, take(a, MIB), LACUNA_POOL_STOCK_SMALL, 2, 0, MIB);
    give(a, p[3]);
    CHECK_EQ(count(a).releasable_bytes, 6 * MIB);
    CHECK_PLACED(a, take(a, 6 * MIB), LACUNA_POOL_STOCK_LARGE, 1, 0, 6 * MIB);
    lacuna_close(a);
}

static void fallback_to_segregated_pools_takes_only_what_is_mapped(void) {
    lacuna_agent *a = bookkeeper(4 * MIB, 1);
    void *p = take(a, 3 * MIB);
    switch_to(a, 0);
    void *q = take(a, 4096);
    CHECK_PLACED(a, q, LACUNA_POOL_SHORT_LARGE, 0, 3 * MIB, 4096);
    CHECK_EQ(count(a).retries, 1);
    refuse(a, 2 * MIB);
    give(a, p);
    CHECK_EQ(count(a).reserved_bytes, 2 * MIB);
    lacuna_close(a);
}

static void a_lowered_cap_releases_in_order_and_stops_when_reached(void) {
    lacuna_agent *a = bookkeeper(100 * MIB, 0);
    void *large[2] = {take(a, 20 * MIB), take(a, 20 * MIB)};
    void *small = take(a, 4096);
    give(a, large[1]);
    give(a, large[0]);
    give(a, small);
    lacuna_change change;
    CHECK_EQ(lacuna_set_fraction(a, 0.25, 0, &change), LACUNA_WOULD_FAIL); /* 42 were reserved, and no step is known */
    CHECK_EQ(lacuna_set_fraction(a, 0.25, 1, &change), LACUNA_OK);
    CHECK_EQ(change.after.reserved_bytes, 22 * MIB); /* the lower of the two large ones went */
    CHECK_EQ(change.unreached_bytes, 0);
    CHECK_PLACED(a, take(a, 20 * MIB), LACUNA_POOL_STOCK_LARGE, 1, 0, 20 * MIB);
    CHECK_EQ(count(a).limit_bytes, 25 * MIB);
    refuse(a, 20 * MIB);
    lacuna_close(a);
}

static void a_cap_that_live_blocks_hold_is_reached_as_they_go(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 1);
    void *p[8];
    for (int i = 0; i < 8; i++) p[i] = take(a, 4 * MIB);
    lacuna_change change;
    CHECK_EQ(lacuna_set_fraction(a, 0.25, 0, &change), LACUNA_WOULD_FAIL);
    CHECK_EQ(change.after.limit_bytes, 64 * MIB);
    CHECK_EQ(change.after.lowest_safe_limit_bytes, 32 * MIB);
    CHECK(change.lowest_safe_fraction == 0.5);
    CHECK_EQ(lacuna_set_fraction(a, 0.25, 1, &change), LACUNA_OK);
    CHECK_EQ(change.unreached_bytes, 16 * MIB);
    for (int i = 0; i < 8; i++) give(a, p[i]);
    CHECK_EQ(count(a).reserved_bytes, 16 * MIB);
    CHECK_EQ(count(a).releasable_bytes, 16 * MIB);
    lacuna_close(a);
}

static void an_idle_slot_goes_only_until_the_cap_is_reached(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 1);
    void *p = take(a, 16 * MIB);
    CHECK_EQ(lacuna_set_fraction(a, 10.0 / 64, 1, NULL), LACUNA_OK);
    give(a, p); /* slots 0, 1 and 2 go */
    CHECK_EQ(count(a).reserved_bytes, 10 * MIB);
    CHECK_PLACED(a, take(a, 10 * MIB), LACUNA_POOL_SHORT_LARGE, 0, 6 * MIB, 10 * MIB);
    CHECK_EQ(count(a).remaps, 0);
    lacuna_close(a);
}

static void the_guard_protects_the_peak_reserved_until_two_whole_steps_are_known(void) {
    lacuna_agent *a = bookkeeper(100 * MIB, 1);
    mark(a, LACUNA_PHASE_STEP, 1);
    give(a, take(a, 40 * MIB));
    CHECK_EQ(count(a).last_step_peak_allocated_bytes, 0);
    mark(a, LACUNA_PHASE_STEP, 0);
    CHECK_EQ(count(a).last_step_peak_allocated_bytes, 40 * MIB);
    CHECK_EQ(count(a).last_step_peak_reserved_bytes, 40 * MIB);
    CHECK_EQ(count(a).lowest_safe_limit_bytes, 40 * MIB);
    CHECK_EQ(count(a).safe_basis, LACUNA_SAFE_PEAK_RESERVED);
    lacuna_change change;
    CHECK_EQ(lacuna_set_fraction(a, 0.39, 0, &change), LACUNA_WOULD_FAIL);
    CHECK_EQ(lacuna_set_fraction(a, change.lowest_safe_fraction, 0, &change), LACUNA_OK);
    CHECK_EQ(count(a).limit_bytes, 40 * MIB);
    mark(a, LACUNA_PHASE_STEP, 1);
    mark(a, LACUNA_PHASE_STEP, 0);
    CHECK_EQ(lacuna_set_fraction(a, 0.39, 0, &change), LACUNA_WOULD_FAIL);
    CHECK_EQ(count(a).lowest_safe_limit_bytes, 40 * MIB);
    lacuna_close(a);
}

static void the_lowest_safe_fraction_is_always_accepted(void) {
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 10 * GIB + random_below(&seed, GIB),
            .optimisation = 1, .bookkeeping_only = 1, .range_bytes = 16 * GIB});
        take(a, 1 + random_below(&seed, 9 * GIB));
        lacuna_change change;
        CHECK_EQ(lacuna_set_fraction(a, 1e-6, 0, &change), LACUNA_WOULD_FAIL);
        CHECK_EQ(lacuna_set_fraction(a, change.lowest_safe_fraction, 0, NULL), LACUNA_OK);
        lacuna_close(a);
    }
}

static void fractions_out_of_range_change_nothing(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    const double bad[] = {0, -1, 1.0000001, NAN, INFINITY, 1e-12};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_EQ(lacuna_set_fraction(a, bad[i], 1, NULL), LACUNA_INVALID);
    }
    CHECK_EQ(lacuna_set_optimisation(a, 2, NULL), LACUNA_INVALID);
    CHECK_EQ(count(a).limit_bytes, GIB);
    lacuna_close(a);
}

static void bad_options_open_nothing(void) {
    const lacuna_options bad[] = {
        {.fraction = 1.5}, {.fraction = NAN}, {.optimisation = 2}, {.backend = LACUNA_BACKEND_ASCEND + 1},
        {.device = 16}, {.device = -1}, {.capacity_bytes = 1}, {.range_bytes = 3 * MIB},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lacuna_agent *a = (lacuna_agent *)&a;
        CHECK_EQ(lacuna_open(&bad[i], &a), LACUNA_INVALID);
        CHECK(a == NULL);
    }
    CHECK_EQ(lacuna_open(NULL, NULL), LACUNA_INVALID);
    lacuna_agent *a;
    CHECK_EQ(lacuna_open(NULL, &a), LACUNA_OK);
    CHECK_EQ(count(a).total_bytes, 8 * GIB);
    lacuna_close(a);
}

static void a_forked_child_does_not_pay_for_what_it_inherited(void) {
    lacuna_agent *a = bookkeeper(20 * MIB, 1);
    void *p = take(a, 16 * MIB);
    agent_lock(a);
    agent_fork_child(a);
    CHECK_EQ(count(a).limit_bytes, 36 * MIB);
    void *q = take(a, 20 * MIB);
    refuse(a, 2 * MIB);
    give(a, p);
    give(a, q);
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 0, NULL), LACUNA_WOULD_FAIL); /* the child itself took 20 */
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 1, NULL), LACUNA_OK);
    CHECK_EQ(count(a).limit_bytes, 26 * MIB);
    agent_fork_child(a); /* a grandchild inherits what is reserved now */
    CHECK_EQ(count(a).limit_bytes, 10 * MIB + count(a).reserved_bytes);
    lacuna_close(a);
}

static void owns_its_ranges_and_nothing_else(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = GIB, .optimisation = 1});
    int on_stack;
    void *on_heap = malloc(1), *p = take(a, 4096);
    CHECK(agent_owns(a, p));
    CHECK(!agent_owns(a, &on_stack) && !agent_owns(a, on_heap) && !agent_owns(a, NULL));
    free(on_heap);
    lacuna_close(a);
}

static void all_that_is_reserved_is_told_piece_by_piece(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    lacuna_piece pieces[64];
    CHECK_EQ(lacuna_pieces(a, NULL, 0), 0);
    void *kept = take(a, 4096), *gone = take(a, 3 * MIB);
    take(a, 30 * MIB);
    give(a, gone);
    switch_to(a, 1);
    take_on(a, 5 * MIB, 7);
    CHECK_EQ(lacuna_record_stream(a, kept, 9), LACUNA_OK);
    give(a, kept);
    size_t count_of = lacuna_pieces(a, pieces, 64);
    CHECK(count_of > 3 && count_of <= 64);
    uint64_t reserved = 0, segments = 0, allocated = 0, pending = 0, streams = 0;
    for (size_t n = 0; n < count_of; n++) {
        reserved += pieces[n].bytes;
        segments += pieces[n].segment_bytes;
        if (pieces[n].state == LACUNA_PIECE_LIVE) allocated += pieces[n].bytes;
        if (pieces[n].state == LACUNA_PIECE_PENDING) pending += pieces[n].bytes;
        streams += pieces[n].stream == 7;
    }
    CHECK_EQ(reserved, count(a).reserved_bytes);
    CHECK_EQ(segments, reserved);
    CHECK_EQ(allocated, count(a).allocated_bytes);
    CHECK_EQ(pending, 4096);
    CHECK_EQ(streams, 1);
    CHECK_EQ(lacuna_pieces(a, pieces, 2), count_of);
    lacuna_close(a);
}

int main(void) {
    RUN(switching_releases_what_is_wholly_free_and_moves_no_block);
    RUN(the_policy_that_is_off_still_serves_before_an_out_of_memory);
    RUN(switching_on_takes_whole_free_chunks_out_of_segments_that_are_in_use);
    RUN(a_block_freed_in_an_old_segment_gives_its_whole_chunks_back_at_once);
    RUN(fallback_to_segregated_pools_takes_only_what_is_mapped);
    RUN(a_lowered_cap_releases_in_order_and_stops_when_reached);
    RUN(a_cap_that_live_blocks_hold_is_reached_as_they_go);
    RUN(an_idle_slot_goes_only_until_the_cap_is_reached);
    RUN(the_guard_protects_the_peak_reserved_until_two_whole_steps_are_known);
    RUN(the_lowest_safe_fraction_is_always_accepted);
    RUN(fractions_out_of_range_change_nothing);
    RUN(bad_options_open_nothing);
    RUN(a_forked_child_does_not_pay_for_what_it_inherited);
    RUN(owns_its_ranges_and_nothing_else);
    RUN(all_that_is_reserved_is_told_piece_by_piece);
    return 0;
}
