/* The swap engine on the virtual device: its states, the host's budget, failed copies, the link. */
#include "swap_world.h"

#include "pool/state.h"

#include <time.h>

/* An agent and one tensor of 1 MiB. */
static void open_with(tensor *t) {
    open_agent(64 * MIB, 64 * MIB);
    make(t, MIB, 7, 1);
}

static void close_with(tensor *t) {
    unmake(t);
    close_agent();
}

static void goes_and_comes_back(tensor *t) {
    CHECK_EQ(lacuna_swap_out(agent, t->entry, 0), LACUNA_OK);
    let_go(t);
    bring_back(t);
    CHECK(is_intact(t));
}

/* ------------------------------------------------------------------ states */

static void a_tensor_goes_out_and_comes_back_bit_for_bit(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor t;
    make(&t, 3 * MIB, 7, 1);
    CHECK_EQ(usage().bytes[LACUNA_ON_DEVICE], 3 * MIB);
    uint64_t before = counters().allocated_bytes;
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    CHECK_EQ(counters().allocated_bytes, before - 3 * MIB);
    CHECK_EQ(usage().bytes[LACUNA_ON_HOST], 3 * MIB);
    CHECK_EQ(counters().host_used_bytes, 3 * MIB);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_DEVICE);
    lacuna_device_counters c = counters();
    CHECK_EQ(c.swapped_out_bytes, 3 * MIB);
    CHECK_EQ(c.swapped_in_bytes, 3 * MIB);
    unmake(&t);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(usage().bytes[LACUNA_ON_DEVICE], 0);
    close_agent();
}

static void a_second_trip_needs_no_copy_out(void) {
    tensor t;
    open_with(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_HOST);
    let_go(&t);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK_EQ(counters().swapped_out_bytes, MIB);
    close_with(&t);
}

static void what_was_written_since_its_copy_began_is_copied_anew(void) {
    tensor t;
    open_with(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    t.seed++;
    while (lacuna_swap_changed(agent, t.entry, t.words) != LACUNA_ON_DEVICE) {}
    fill(&t);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    CHECK_EQ(counters().host_used_bytes, 0);
    goes_and_comes_back(&t);
    close_with(&t);
}

static void what_was_given_out_is_copied_anew_on_its_second_trip(void) {
    tensor t;
    open_with(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    CHECK_EQ(lacuna_swap_changed(agent, t.entry, NULL), LACUNA_ON_DEVICE);
    t.seed++;
    fill(&t);
    goes_and_comes_back(&t);
    CHECK_EQ(counters().swapped_out_bytes, 2 * MIB);
    close_with(&t);
}

static void only_what_is_on_the_host_is_let_go(void) {
    tensor t;
    open_with(&t);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, t.words, 0), LACUNA_INVALID);
    close_with(&t);
}

static void the_block_that_it_came_into_may_be_named_again(void) {
    tensor t;
    open_with(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    uint64_t other;
    CHECK(lacuna_swap_in(agent, t.entry, &other, 0) != LACUNA_OK);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, t.words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    CHECK(is_intact(&t));
    CHECK_EQ(counters().swapped_in_bytes, MIB);
    close_with(&t);
}

static void what_is_no_block_is_not_entered(void) {
    open_agent(64 * MIB, 64 * MIB);
    uint64_t word;
    lacuna_swapped *entry;
    lacuna_swap_entry e = {.block = &word, .bytes = 8, .cookie = 1, .layer = swap_layer_number};
    CHECK_EQ(lacuna_swap_enter(agent, &e, &entry), LACUNA_UNKNOWN_POINTER);
    e.block = take(MIB);
    e.bytes = 2 * MIB;
    CHECK_EQ(lacuna_swap_enter(agent, &e, &entry), LACUNA_UNKNOWN_POINTER);
    e.bytes = MIB;
    e.layer = swap_layer_number + 1;
    CHECK_EQ(lacuna_swap_enter(agent, &e, &entry), LACUNA_INVALID);
    close_agent();
}

static void switched_off_nothing_goes_out_and_everything_comes_back(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor t, u;
    make(&t, MIB, 7, 1);
    make(&u, MIB, 8, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    CHECK_EQ(lacuna_swap_set(agent, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET), LACUNA_OK);
    CHECK_EQ(lacuna_swap_out(agent, u.entry, 0), LACUNA_INVALID);
    bring_back(&t);
    CHECK(is_intact(&t));
    unmake(&t);
    unmake(&u);
    close_agent();
}

/* ------------------------------------------------------------------ the host's budget */

static void an_exhausted_budget_is_an_error_and_the_tensor_stays(void) {
    open_agent(64 * MIB, 2 * MIB);
    tensor t, u;
    make(&t, 2 * MIB, 7, 1);
    make(&u, 2 * MIB, 8, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_out(agent, u.entry, 0), LACUNA_OUT_OF_MEMORY);
    CHECK_EQ(lacuna_swap_where(agent, u.entry), LACUNA_ON_DEVICE);
    CHECK_EQ(counters().host_refusals, 1);
    let_go(&t);
    CHECK_EQ(counters().host_used_bytes, 2 * MIB);
    unmake(&t);
    CHECK_EQ(lacuna_swap_out(agent, u.entry, 0), LACUNA_OK);
    let_go(&u);
    unmake(&u);
    close_agent();
}

static void a_lowered_budget_holds_for_what_comes(void) {
    open_agent(64 * MIB, 8 * MIB);
    tensor t, u;
    make(&t, 4 * MIB, 7, 1);
    make(&u, 4 * MIB, 8, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    CHECK_EQ(lacuna_swap_set(agent, LACUNA_SWAP_KEEP, MIB), LACUNA_OK);
    CHECK_EQ(lacuna_swap_out(agent, u.entry, 0), LACUNA_OUT_OF_MEMORY);
    bring_back(&t);
    CHECK(is_intact(&t));
    unmake(&t);
    unmake(&u);
    CHECK_EQ(counters().host_used_bytes, 0);
    close_agent();
}

/* ------------------------------------------------------------------ failures */

static void a_failed_copy_out_leaves_the_tensor_where_it_is(void) {
    tensor t;
    open_with(&t);
    atomic_store(&failures_left, 1);
    atomic_store(&sim_link_fault, fail_some);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_DEVICE);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(counters().copy_failures, 1);
    goes_and_comes_back(&t);
    close_with(&t);
}

static void a_copy_in_that_keeps_failing_is_read_without_the_link(void) {
    tensor t;
    open_with(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    atomic_store(&failures_left, 1000);
    atomic_store(&sim_link_fault, fail_some);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK(counters().copy_failures >= 2);
    close_with(&t);
}

static bool begin_nothing(device *d, device_copy *c) {
    (void)d;
    (void)c;
    return false;
}

/* A device of which no copy can be begun, and which cannot be read either. */
typedef struct broken_link {
    const device_ops *sound; /* what it was */
    device_ops ops;
    device_copy_ops copies;
} broken_link;

/* A tensor on its way back over such a link. */
static void begin_to_return_in_vain(tensor *t, broken_link *broken) {
    open_with(t);
    CHECK_EQ(lacuna_swap_out(agent, t->entry, 0), LACUNA_OK);
    let_go(t);
    broken->sound = agent->device->ops;
    broken->ops = *broken->sound;
    broken->copies = *broken->sound->copies;
    broken->copies.begin = begin_nothing;
    broken->copies.copy_now = NULL;
    broken->ops.copies = &broken->copies;
    agent->device->ops = &broken->ops;
    t->words = take(t->bytes);
    CHECK_EQ(lacuna_swap_in(agent, t->entry, t->words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t->entry, 0), LACUNA_SYSTEM);
}

static void what_has_not_come_back_is_tried_again_by_every_wait(void) {
    tensor t;
    broken_link broken;
    begin_to_return_in_vain(&t, &broken);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_SYSTEM);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, t.words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_SYSTEM);
    CHECK(agent_is_valid(agent));
    agent->device->ops = broken.sound;
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    CHECK(is_intact(&t));
    goes_and_comes_back(&t);
    close_with(&t);
}

static void what_has_not_come_back_stays_on_the_host_when_its_block_is_changed(void) {
    tensor t;
    broken_link broken;
    begin_to_return_in_vain(&t, &broken);
    CHECK_EQ(lacuna_swap_changed(agent, t.entry, NULL), LACUNA_ON_HOST);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_SYSTEM);
    agent->device->ops = broken.sound;
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    CHECK(is_intact(&t));
    t.seed++;
    fill(&t);
    goes_and_comes_back(&t); /* with what was written since */
    close_with(&t);
}

/* ------------------------------------------------------------------ the link */

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void a_copy_takes_at_least_as_long_as_the_link_says(void) {
    open_agent(64 * MIB, 64 * MIB);
    CHECK_EQ(lacuna_swap_link(agent, 100 * MIB, 1000000), LACUNA_OK);
    tensor t;
    make(&t, 2 * MIB, 7, 1);
    uint64_t began = now();
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_COPYING_OUT);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    CHECK(now() - began >= 20000000);
    CHECK(counters().copy_ns >= 20000000);
    close_with(&t);
}

static void what_leaves_before_its_copy_begins_is_called_back(void) {
    open_agent(64 * MIB, 64 * MIB);
    CHECK_EQ(lacuna_swap_link(agent, 10 * MIB, 0), LACUNA_OK);
    tensor t, u;
    make(&t, MIB, 7, 1);
    make(&u, MIB, 8, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_out(agent, u.entry, 0), LACUNA_OK);
    unmake(&u);
    unmake(&t);
    CHECK(counters().swapped_out_bytes <= MIB);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(counters().swapping_out_bytes, 0);
    close_agent();
}

static void beside_a_framework_it_serves_until_what_is_away_is_back(void) {
    open_agent(64 * MIB, 64 * MIB);
    const lacuna_framework silent = {0};
    CHECK_EQ(lacuna_set_framework(agent, &silent), LACUNA_OK);
    CHECK_EQ(lacuna_set_optimisation(agent, 0, NULL), LACUNA_OK);
    tensor t;
    make(&t, MIB, 9, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    CHECK_EQ(lacuna_swap_set(agent, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET), LACUNA_OK);
    CHECK(lacuna_serves(agent)); /* a copy comes back to a block of the agent's and to no other */
    bring_back(&t);
    CHECK(is_intact(&t));
    unmake(&t);
    CHECK(!lacuna_serves(agent));
    close_agent();
}

int main(void) {
    RUN(a_tensor_goes_out_and_comes_back_bit_for_bit);
    RUN(a_second_trip_needs_no_copy_out);
    RUN(what_was_written_since_its_copy_began_is_copied_anew);
    RUN(what_was_given_out_is_copied_anew_on_its_second_trip);
    RUN(only_what_is_on_the_host_is_let_go);
    RUN(the_block_that_it_came_into_may_be_named_again);
    RUN(what_is_no_block_is_not_entered);
    RUN(switched_off_nothing_goes_out_and_everything_comes_back);
    RUN(an_exhausted_budget_is_an_error_and_the_tensor_stays);
    RUN(a_lowered_budget_holds_for_what_comes);
    RUN(a_failed_copy_out_leaves_the_tensor_where_it_is);
    RUN(a_copy_in_that_keeps_failing_is_read_without_the_link);
    RUN(what_has_not_come_back_is_tried_again_by_every_wait);
    RUN(what_has_not_come_back_stays_on_the_host_when_its_block_is_changed);
    RUN(a_copy_takes_at_least_as_long_as_the_link_says);
    RUN(what_leaves_before_its_copy_begins_is_called_back);
    RUN(beside_a_framework_it_serves_until_what_is_away_is_back);
    return 0;
}
