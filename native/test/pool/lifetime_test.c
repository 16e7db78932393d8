/* Long or short, learned: docs/allocator.md, "Lifetime". */
#include "pool/lifetime.h"
#include "trainer.h"

enum { SETUP = LACUNA_PHASE_SETUP, FORWARD = LACUNA_PHASE_FORWARD, STEP = LACUNA_PHASE_STEP };

static bool is_long(lacuna_agent *a, const void *p) {
    uint8_t pool = (uint8_t)place(a, p).pool;
    return pool == LACUNA_POOL_LONG_SMALL || pool == LACUNA_POOL_LONG_LARGE;
}

static void what_survives_a_step_is_long_from_the_next_step_on(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    mark(a, STEP, 1);
    void *kept = take(a, 3 * MIB), *used = take(a, 3 * MIB);
    CHECK(!is_long(a, kept) && !is_long(a, used));
    give(a, used);
    mark(a, STEP, 0);
    mark(a, STEP, 1);
    void *first = take(a, 3 * MIB), *second = take(a, 3 * MIB);
    CHECK(is_long(a, first));   /* the first of its size in the step survived */
    CHECK(!is_long(a, second)); /* the second did not */
    CHECK_PLACED(a, kept, LACUNA_POOL_SHORT_LARGE, 0, 0, 3 * MIB);
    lacuna_close(a);
}

static void three_short_lives_outweigh_three_long_ones_and_no_more(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    for (int step = 0; step < 10; step++) { /* the score stops at 3 */
        mark(a, STEP, 1);
        void *p = take(a, 5 * MIB);
        CHECK(is_long(a, p) == (step >= 1));
        mark(a, STEP, 0);
        give(a, p);
    }
    for (int step = 0; step < 10; step++) { /* 3 → 2 → 1 → 0 … −3 */
        mark(a, STEP, 1);
        void *p = take(a, 5 * MIB);
        CHECK(is_long(a, p) == (step < 3));
        give(a, p);
        mark(a, STEP, 0);
    }
    for (int step = 0; step < 6; step++) { /* −3 → … → 1 */
        mark(a, STEP, 1);
        void *p = take(a, 5 * MIB);
        CHECK(is_long(a, p) == (step >= 4));
        mark(a, STEP, 0);
        give(a, p);
    }
    lacuna_close(a);
}

static void only_the_outermost_step_counts(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    mark(a, STEP, 1);
    mark(a, STEP, 1);
    void *p = take(a, 5 * MIB);
    mark(a, STEP, 0);
    CHECK_EQ(count(a).step, 0);
    give(a, p);
    mark(a, FORWARD, 1);
    CHECK_EQ(count(a).phases, 1u << STEP | 1u << FORWARD);
    mark(a, FORWARD, 0);
    mark(a, STEP, 0);
    CHECK_EQ(count(a).step, 1);
    CHECK_EQ(count(a).phases, 0);
    CHECK_EQ(lacuna_phase(a, STEP, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_phase(a, 3, 1), LACUNA_INVALID);
    CHECK_EQ(lacuna_phase(a, -1, 1), LACUNA_INVALID);
    CHECK_EQ(count(a).step, 1);
    mark(a, STEP, 1);
    CHECK(!is_long(a, take(a, 5 * MIB)));
    lacuna_close(a);
}

static void without_steps_a_block_is_long_after_2048_events(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 5 * MIB);                        /* event 1 */
    for (int i = 0; i < 1023; i++) give(a, take(a, 4096)); /* events 2 … 2047 */
    void *q = take(a, 4096);                            /* event 2048: the block is 2047 events old */
    void *young = take(a, 5 * MIB);                     /* event 2049: 2048 events old, decided before this one */
    CHECK(is_long(a, young));
    CHECK(!is_long(a, p));
    give(a, q);
    lacuna_close(a);
}

static void a_request_one_event_too_early_is_still_short(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *p = take(a, 5 * MIB);
    for (int i = 0; i < 1023; i++) give(a, take(a, 4096));
    CHECK(!is_long(a, take(a, 5 * MIB))); /* event 2048 */
    (void)p;
    lacuna_close(a);
}

static void blocks_of_setup_teach_nothing(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    mark(a, STEP, 1);
    mark(a, SETUP, 1);
    void *p = take(a, 5 * MIB);
    CHECK(is_long(a, p));
    mark(a, SETUP, 0);
    mark(a, STEP, 0);
    mark(a, STEP, 1);
    CHECK(!is_long(a, take(a, 5 * MIB)));
    lacuna_close(a);
}

static void lifetimes_are_learned_while_the_optimisation_is_off(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    mark(a, STEP, 1);
    void *p = take(a, 5 * MIB);
    mark(a, STEP, 0);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    mark(a, STEP, 1);
    CHECK(is_long(a, take(a, 5 * MIB)));
    give(a, p);
    lacuna_close(a);
}

static void later_places_in_a_step_share_the_64th_key(void) {
    lifetime l = {0};
    CHECK(lifetime_open(&l));
    CHECK_EQ(lifetime_request(&l, 512, false), 64); /* no step yet: the place is 0 */
    CHECK_EQ(lifetime_request(&l, 512, false), 64);
    lifetime_step_begins(&l);
    for (uint64_t i = 0; i < 100; i++) CHECK_EQ(lifetime_request(&l, 1024, false), 2 * 64 + (i < 63 ? i : 63));
    CHECK_EQ(lifetime_request(&l, 512, true), LIFETIME_SETUP);
    CHECK_EQ(lifetime_request(&l, 512, false), 64 + 1); /* set-up's request was the first of its size */
    lifetime_step_begins(&l);
    CHECK_EQ(lifetime_request(&l, 1024, false), 2 * 64);
    CHECK_EQ(l.events, 105);
    lifetime_close(&l);
}

int main(void) {
    RUN(what_survives_a_step_is_long_from_the_next_step_on);
    RUN(three_short_lives_outweigh_three_long_ones_and_no_more);
    RUN(only_the_outermost_step_counts);
    RUN(without_steps_a_block_is_long_after_2048_events);
    RUN(a_request_one_event_too_early_is_still_short);
    RUN(blocks_of_setup_teach_nothing);
    RUN(lifetimes_are_learned_while_the_optimisation_is_off);
    RUN(later_places_in_a_step_share_the_64th_key);
    return 0;
}
