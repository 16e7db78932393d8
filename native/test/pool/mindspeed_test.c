/* MindSpeed's rules in a live process: what is long, the levels, and switching to them and away. The rules themselves are held to
 * the Java model by NativeEqualsLifetimeModelTest. */
#include "trainer.h"

enum {
    DEFAULT_SMALL = LACUNA_POOL_SHORT_SMALL,
    DEFAULT_LARGE = LACUNA_POOL_SHORT_LARGE,
    LONG_SMALL = LACUNA_POOL_LONG_SMALL,
    LONG_LARGE = LACUNA_POOL_LONG_LARGE
};

static lacuna_agent *mindspeeds(uint64_t capacity) {
    return agent_with((lacuna_options){.capacity_bytes = capacity, .optimisation = 1, .policy = LACUNA_POOL_POLICY_LIFETIME,
        .bookkeeping_only = 1, .range_bytes = 4 * GIB});
}

static void choose(lacuna_agent *a, int policy) {
    CHECK_EQ(lacuna_set_policy(a, policy, NULL), LACUNA_OK);
    CHECK(agent_is_valid(a));
}

static void set_up_is_long_and_has_segments_of_its_own_size(void) {
    lacuna_agent *a = mindspeeds(GIB);
    mark(a, LACUNA_PHASE_SETUP, 1);
    CHECK_PLACED(a, take(a, 3 * MIB), LONG_LARGE, 0, 0, 4 * MIB); /* a rest of 1 MiB is none */
    CHECK_EQ(count(a).reserved_bytes, 4 * MIB);
    CHECK_PLACED(a, take(a, 1000), LONG_SMALL, 1, 0, 1024);
    mark(a, LACUNA_PHASE_SETUP, 0);
    CHECK_PLACED(a, take(a, 3 * MIB), DEFAULT_LARGE, 2, 0, 3 * MIB);
    CHECK_EQ(count(a).reserved_bytes, 26 * MIB);
    CHECK_EQ(count(a).pools[LACUNA_POOL_STOCK_LARGE].reserved_bytes, 24 * MIB);
    lacuna_close(a);
}

static void what_survived_the_last_forward_is_long_in_the_next(void) {
    lacuna_agent *a = mindspeeds(GIB);
    for (int pass = 0; pass < 3; pass++) {
        mark(a, LACUNA_PHASE_FORWARD, 1);
        void *kept = take(a, 5 * MIB), *gone = take(a, 7 * MIB);
        CHECK_EQ(place(a, kept).pool, LONG_LARGE);
        CHECK_EQ(place(a, gone).pool, pass == 0 ? LONG_LARGE : DEFAULT_LARGE); /* nothing is known of the first */
        give(a, gone);
        mark(a, LACUNA_PHASE_FORWARD, 0);
        give(a, kept);
    }
    lacuna_close(a);
}

static void the_levels_end_in_a_flush_and_then_out_of_memory(void) {
    lacuna_agent *a = mindspeeds(64 * MIB);
    void *p = take(a, 30 * MIB);
    give(a, p);
    void *q = take(a, 60 * MIB); /* the free segment of 30 MiB has to go */
    CHECK_EQ(count(a).retries, 1);
    CHECK_EQ(count(a).reserved_bytes, 60 * MIB);
    refuse(a, 6 * MIB);
    char text[256];
    lacuna_last_oom(a, text, sizeof text);
    CHECK(strstr(text, "Tried to allocate 20.00 MiB") != NULL); /* the segment */
    give(a, q);
    lacuna_close(a);
}

static void switching_to_it_and_away_releases_what_is_free_and_moves_no_block(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    void *ours = take(a, 3 * MIB);
    give(a, take(a, 30 * MIB));
    lacuna_change change;
    CHECK_EQ(lacuna_set_policy(a, LACUNA_POOL_POLICY_LIFETIME, &change), LACUNA_OK);
    CHECK_EQ(change.before.policy, LACUNA_POOL_POLICY_SEGREGATED);
    CHECK_EQ(change.after.policy, LACUNA_POOL_POLICY_LIFETIME);
    CHECK_EQ(change.after.reserved_bytes, 4 * MIB);
    CHECK_PLACED(a, ours, LACUNA_POOL_SHORT_LARGE, 0, 0, 3 * MIB);
    void *theirs = take(a, 6 * MIB);
    CHECK_PLACED(a, theirs, DEFAULT_LARGE, 0, 0, 6 * MIB);
    give(a, ours); /* drains */
    CHECK_EQ(count(a).reserved_bytes, 20 * MIB);
    choose(a, LACUNA_POOL_POLICY_SEGREGATED);
    CHECK_EQ(count(a).reserved_bytes, 6 * MIB); /* whole free chunks of its segment too */
    give(a, theirs);
    CHECK_EQ(count(a).reserved_bytes, 0);
    CHECK_EQ(count(a).segments, 0);
    lacuna_close(a);
}

static void the_policy_holds_while_the_optimisation_is_off_and_serves_when_it_is_on(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    choose(a, LACUNA_POOL_POLICY_LIFETIME);
    void *stock = take(a, 3 * MIB);
    CHECK_PLACED(a, stock, LACUNA_POOL_STOCK_LARGE, 0, 0, 3 * MIB);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    mark(a, LACUNA_PHASE_SETUP, 1);
    void *lasting = take(a, 3 * MIB);
    CHECK_PLACED(a, lasting, LONG_LARGE, 1, 0, 4 * MIB);
    give(a, stock);
    CHECK_EQ(count(a).reserved_bytes, 4 * MIB);
    CHECK_EQ(lacuna_set_optimisation(a, 0, NULL), LACUNA_OK);
    give(a, lasting);
    CHECK_EQ(count(a).reserved_bytes, 0);
    lacuna_close(a);
}

static void memory_of_the_policies_that_are_off_serves_before_an_out_of_memory(void) {
    lacuna_agent *a = mindspeeds(24 * MIB);
    take(a, 5 * MIB); /* 20 MiB, 15 of them free */
    choose(a, LACUNA_POOL_POLICY_SEGREGATED); /* 14 of them go */
    CHECK_EQ(place(a, take(a, 18 * MIB)).segment, 0);
    void *borrowed = take(a, MIB);
    CHECK_PLACED(a, borrowed, DEFAULT_LARGE, 0, 5 * MIB, MIB);
    give(a, borrowed);
    CHECK_EQ(lacuna_set_optimisation(a, 0, NULL), LACUNA_OK);
    CHECK_PLACED(a, take(a, MIB), DEFAULT_LARGE, 0, 5 * MIB, MIB);
    lacuna_close(a);
    a = bookkeeper(24 * MIB, 0);
    take(a, 5 * MIB);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    choose(a, LACUNA_POOL_POLICY_LIFETIME);
    CHECK_PLACED(a, take(a, 18 * MIB), DEFAULT_LARGE, 1, 0, 18 * MIB);
    CHECK_PLACED(a, take(a, MIB), LACUNA_POOL_STOCK_LARGE, 0, 5 * MIB, MIB);
    lacuna_close(a);
}

static void what_was_recorded_is_forgotten_when_it_goes(void) {
    lacuna_agent *a = mindspeeds(GIB);
    mark(a, LACUNA_PHASE_FORWARD, 1);
    void *kept = take(a, 5 * MIB), *short_lived = take(a, 7 * MIB);
    choose(a, LACUNA_POOL_POLICY_SEGREGATED);
    give(a, short_lived);
    choose(a, LACUNA_POOL_POLICY_LIFETIME);
    give(a, kept); /* of the former recorder's */
    mark(a, LACUNA_PHASE_FORWARD, 0);
    mark(a, LACUNA_PHASE_FORWARD, 1);
    CHECK_EQ(place(a, take(a, 7 * MIB)).pool, LONG_LARGE);
    lacuna_close(a);
}

static void a_lowered_cap_takes_back_what_is_free_as_with_any_policy(void) {
    lacuna_agent *a = mindspeeds(100 * MIB);
    void *p = take(a, 40 * MIB);
    give(a, take(a, 30 * MIB));
    lacuna_change change;
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 0, &change), LACUNA_WOULD_FAIL); /* by what was reserved: no step is known yet */
    CHECK_EQ(change.after.safe_basis, LACUNA_SAFE_PEAK_RESERVED);
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 1, &change), LACUNA_OK);
    CHECK_EQ(change.after.reserved_bytes, 40 * MIB);
    give(a, p);
    lacuna_close(a);
}

static void the_guard_replays_steps_by_its_rules(void) {
    lacuna_agent *a = mindspeeds(GIB);
    for (int step = 0; step < 6; step++) {
        mark(a, LACUNA_PHASE_STEP, 1);
        give(a, take(a, 40 * MIB));
        mark(a, LACUNA_PHASE_STEP, 0);
    }
    lacuna_change change;
    CHECK_EQ(lacuna_set_fraction(a, 0.03, 0, &change), LACUNA_WOULD_FAIL);
    CHECK_EQ(count(a).safe_basis, LACUNA_SAFE_REPLAYED);
    CHECK_EQ(lacuna_set_fraction(a, 0.05, 0, &change), LACUNA_OK);
    lacuna_close(a);
}

static void other_words_are_no_policy(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    CHECK_EQ(lacuna_set_policy(a, 2, NULL), LACUNA_INVALID);
    CHECK_EQ(lacuna_set_policy(a, -1, NULL), LACUNA_INVALID);
    lacuna_agent *none = NULL;
    CHECK_EQ(lacuna_open(&(lacuna_options){.policy = 2, .bookkeeping_only = 1}, &none), LACUNA_INVALID);
    lacuna_close(a);
}

int main(void) {
    RUN(set_up_is_long_and_has_segments_of_its_own_size);
    RUN(what_survived_the_last_forward_is_long_in_the_next);
    RUN(the_levels_end_in_a_flush_and_then_out_of_memory);
    RUN(switching_to_it_and_away_releases_what_is_free_and_moves_no_block);
    RUN(the_policy_holds_while_the_optimisation_is_off_and_serves_when_it_is_on);
    RUN(memory_of_the_policies_that_are_off_serves_before_an_out_of_memory);
    RUN(what_was_recorded_is_forgotten_when_it_goes);
    RUN(a_lowered_cap_takes_back_what_is_free_as_with_any_policy);
    RUN(the_guard_replays_steps_by_its_rules);
    RUN(other_words_are_no_policy);
    return 0;
}
