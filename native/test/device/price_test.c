/*
 * price_test.c - what calls took is told as they were, and a switch is priced by what giving back really took.
 */
#include "agent/agent.h"
#include "trainer.h"

#include <string.h>

static void what_was_never_made_has_no_price(void) {
    price p = {0};
    price_note(&p, 5, 0); /* of nothing */
    CHECK_EQ(price_low(&p), 0);
    CHECK_EQ(price_high(&p), 0);
}

static void the_price_of_a_unit_lies_between_the_quartiles_of_the_last_times(void) {
    price p = {0};
    for (uint64_t each = 1000; each > 0; each--) price_note(&p, 10 * each, 10);
    CHECK_EQ(price_low(&p), 4); /* of 1 to 16 */
    CHECK_EQ(price_high(&p), 12);
    CHECK_EQ(p.sum_ns, 10 * 500500);
}

static void a_few_dear_times_lift_the_upper_price_to_the_mean(void) {
    price p = {0};
    for (int i = 0; i < 7; i++) price_note(&p, 10, 1);
    price_note(&p, 730, 1);
    CHECK_EQ(price_low(&p), 10);
    CHECK_EQ(price_high(&p), 100);
}

static void a_device_on_the_host_tries_a_chunk_before_the_first_switch(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 256 * MIB});
    CHECK(count(a).release_low_ns > 0);
    CHECK(count(a).release_high_ns >= count(a).release_low_ns);
    CHECK_EQ(count(a).finish_ns, 0); /* it has no streams */
    CHECK_EQ(count(a).move_ns, 0);
    lacuna_close(a);
}

static void what_touches_no_memory_has_no_price(void) {
    lacuna_agent *a = bookkeeper(256 * MIB, 0);
    void *block = take(a, 30 * MIB);
    give(a, block);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    CHECK_EQ(count(a).release_high_ns, 0);
    CHECK_EQ(agent_given_back_ns(a), 0);
    lacuna_close(a);
}

/* Kept at hand at first, then gone: the price has both. */
static void a_switch_adds_what_it_took(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 256 * MIB});
    void *block = take(a, 30 * MIB);
    memset(block, 1, 30 * MIB);
    give(a, block);
    uint64_t before = agent_given_back_ns(a);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    uint64_t kept = agent_given_back_ns(a);
    CHECK(kept > before);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK(agent_given_back_ns(a) > kept);
    CHECK(count(a).release_high_ns > count(a).release_low_ns);
    lacuna_close(a);
}

static void compaction_is_priced_by_the_mebibyte(void) {
    lacuna_agent *a = bookkeeper(256 * MIB, 0);
    lacuna_compaction done = {.state = LACUNA_COMPACTION_DONE, .steps = 3, .moved = 2, .moved_bytes = 10 * MIB, .busy_ns = 70};
    CHECK_EQ(lacuna_compaction_tell(a, &done), LACUNA_OK);
    CHECK_EQ(count(a).move_ns, 7);
    done = (lacuna_compaction){.state = LACUNA_COMPACTION_DONE, .steps = 1};
    CHECK_EQ(lacuna_compaction_tell(a, &done), LACUNA_OK);
    CHECK_EQ(count(a).move_ns, 7); /* nothing moved that time, which tells nothing */
    lacuna_close(a);
}

int main(void) {
    RUN(what_was_never_made_has_no_price);
    RUN(the_price_of_a_unit_lies_between_the_quartiles_of_the_last_times);
    RUN(a_few_dear_times_lift_the_upper_price_to_the_mean);
    RUN(a_device_on_the_host_tries_a_chunk_before_the_first_switch);
    RUN(what_touches_no_memory_has_no_price);
    RUN(a_switch_adds_what_it_took);
    RUN(compaction_is_priced_by_the_mebibyte);
    return 0;
}
