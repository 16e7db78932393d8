/* The optimised policy: docs/allocator.md, "Segregated", "Fallback". */
#include "trainer.h"

enum {
    SHORT_SMALL = LACUNA_POOL_SHORT_SMALL,
    SHORT_LARGE = LACUNA_POOL_SHORT_LARGE,
    LONG_SMALL = LACUNA_POOL_LONG_SMALL,
    LONG_LARGE = LACUNA_POOL_LONG_LARGE,
    SETUP = LACUNA_PHASE_SETUP
};

static void puts_setup_among_the_long_lived_and_the_rest_among_the_short(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    mark(a, SETUP, 1);
    CHECK_PLACED(a, take(a, 4096), LONG_SMALL, 0, 0, 4096);
    CHECK_PLACED(a, take(a, 3 * MIB), LONG_LARGE, 0, 0, 3 * MIB);
    mark(a, SETUP, 0);
    CHECK_PLACED(a, take(a, 4096), SHORT_SMALL, 0, 0, 4096);
    CHECK_PLACED(a, take(a, 3 * MIB), SHORT_LARGE, 0, 0, 3 * MIB);
    CHECK_EQ(count(a).reserved_bytes, 2 * (2 + 4) * MIB);
    CHECK_EQ(count(a).segments, 4);
    lacuna_close(a);
}

static void prefers_the_position_that_needs_the_fewest_new_chunks(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 3 * MIB), *q = take(a, 5 * MIB); /* [0,3) [3,8), all 4 slots mapped */
    give(a, p);
    /* 4 MiB don't fit below q; above it 2 new slots are needed, whatever the extent. */
    CHECK_PLACED(a, take(a, 4 * MIB), SHORT_LARGE, 0, 8 * MIB, 4 * MIB);
    /* 2.5 MiB fit the hole as it is mapped. */
    CHECK_PLACED(a, take(a, 5 * MIB / 2), SHORT_LARGE, 0, 0, 5 * MIB / 2);
    CHECK_EQ(count(a).reserved_bytes, 12 * MIB);
    give(a, q);
    lacuna_close(a);
}

static void tries_the_high_end_of_an_extent_that_is_mapped_there(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 8 * MIB), *wall = take(a, 2 * MIB);
    give(a, p);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK); /* slots 0-3 go, slot 4 stays with the wall */
    CHECK_EQ(count(a).reserved_bytes, 2 * MIB);
    void *low = take(a, 3 * MIB); /* both ends need two slots: the low one was tried first */
    CHECK_PLACED(a, low, SHORT_LARGE, 0, 0, 3 * MIB);
    give(a, wall);
    give(a, low); /* slots 0, 1 and 4 stay mapped, and the range is one extent: the tail */
    CHECK_PLACED(a, take(a, 6 * MIB), SHORT_LARGE, 0, 0, 6 * MIB);
    lacuna_close(a);
}

static void the_high_end_wins_when_only_it_is_mapped(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 4 * MIB), *q = take(a, 3 * MIB), *wall = take(a, 3 * MIB); /* q and the wall share slot 3 */
    give(a, p);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK); /* slots 0 and 1 go */
    give(a, q);                                 /* extent [0,7): slot 2 idle, slot 3 shared */
    CHECK_PLACED(a, take(a, 2 * MIB), SHORT_LARGE, 0, 5 * MIB, 2 * MIB);
    (void)wall;
    lacuna_close(a);
}

static void grows_while_it_may_and_steals_only_then(void) {
    lacuna_agent *a = bookkeeper(8 * MIB, 1);
    give(a, take(a, 4 * MIB)); /* two idle chunks in short.large */
    mark(a, SETUP, 1);
    void *p = take(a, 4 * MIB); /* room for two more: nothing is stolen */
    CHECK_EQ(count(a).remaps, 0);
    CHECK_EQ(count(a).reserved_bytes, 8 * MIB);
    void *q = take(a, 3 * MIB);
    CHECK_PLACED(a, q, LONG_LARGE, 0, 4 * MIB, 3 * MIB);
    CHECK_EQ(count(a).remaps, 2);
    CHECK_EQ(count(a).reserved_bytes, 8 * MIB);
    CHECK_EQ(count(a).pools[SHORT_LARGE].reserved_bytes, 0);
    CHECK_EQ(count(a).retries, 0);
    refuse(a, 2 * MIB);
    CHECK_EQ(count(a).ooms, 1);
    give(a, p);
    give(a, q);
    lacuna_close(a);
}

static void steals_the_oldest_idle_chunks_first(void) {
    lacuna_agent *a = bookkeeper(12 * MIB, 1);
    void *p[6];
    for (int i = 0; i < 6; i++) p[i] = take(a, 2 * MIB);
    give(a, p[4]);
    give(a, p[2]);
    give(a, p[0]);
    mark(a, SETUP, 1);
    take(a, 4 * MIB); /* takes slots 4 and 2; slot 0 stays */
    CHECK_EQ(count(a).remaps, 2);
    mark(a, SETUP, 0);
    CHECK_PLACED(a, take(a, 2 * MIB), SHORT_LARGE, 0, 0, 2 * MIB);
    CHECK_EQ(count(a).remaps, 2);
    lacuna_close(a);
}

static void does_not_steal_from_the_position_itself(void) {
    lacuna_agent *a = bookkeeper(8 * MIB, 1);
    void *p[4];
    for (int i = 0; i < 4; i++) p[i] = take(a, 2 * MIB);
    give(a, p[0]);
    give(a, p[1]);
    /* 6 MiB fit only above p[3]; three chunks are needed, two are idle. */
    refuse(a, 6 * MIB);
    CHECK_EQ(count(a).remaps, 0);
    CHECK_EQ(count(a).releasable_bytes, 4 * MIB);
    give(a, p[2]);
    /* Now [0,6) is one extent, all mapped. */
    CHECK_PLACED(a, take(a, 6 * MIB), SHORT_LARGE, 0, 0, 6 * MIB);
    CHECK_EQ(count(a).remaps, 0);
    lacuna_close(a);
}

static void falls_back_to_the_other_lifetime_and_then_to_the_large_pools(void) {
    lacuna_agent *a = bookkeeper(4 * MIB, 1);
    mark(a, SETUP, 1);
    void *p = take(a, 3 * MIB); /* 1 MiB of the second slot is free */
    mark(a, SETUP, 0);
    CHECK_PLACED(a, take(a, 4096), LONG_LARGE, 0, 3 * MIB, 4096);
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

static void looks_at_the_tail_beyond_the_first_64_extents(void) {
    lacuna_agent *a = bookkeeper(2 * GIB, 1);
    enum { HOLES = 70 };
    void *p[2 * HOLES];
    for (int i = 0; i < 2 * HOLES; i++) p[i] = take(a, 4 * MIB);
    uint64_t end = 2 * HOLES * 4 * MIB;
    void *beyond = take(a, 8 * MIB);
    for (int i = 0; i < 2 * HOLES; i += 2) give(a, p[i]);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    give(a, beyond); /* the tail is mapped for 8 MiB, the 70 holes are not */
    CHECK_PLACED(a, take(a, 4 * MIB), SHORT_LARGE, 0, end, 4 * MIB);
    lacuna_close(a);
}

int main(void) {
    RUN(puts_setup_among_the_long_lived_and_the_rest_among_the_short);
    RUN(prefers_the_position_that_needs_the_fewest_new_chunks);
    RUN(tries_the_high_end_of_an_extent_that_is_mapped_there);
    RUN(the_high_end_wins_when_only_it_is_mapped);
    RUN(grows_while_it_may_and_steals_only_then);
    RUN(steals_the_oldest_idle_chunks_first);
    RUN(does_not_steal_from_the_position_itself);
    RUN(falls_back_to_the_other_lifetime_and_then_to_the_large_pools);
    RUN(a_slot_shared_by_two_blocks_is_idle_only_when_both_are_gone);
    RUN(looks_at_the_tail_beyond_the_first_64_extents);
    return 0;
}
