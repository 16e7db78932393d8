/* Requests that would fail are served by swapping: what goes, and when nothing may. */
#include "swap_world.h"


/* ------------------------------------------------------------------ rescue */

#define RESCUED 64
static tensor rescued[RESCUED + 1]; /* by cookie */
static uint64_t let_go_order[RESCUED];
static atomic_uint let_go_count;

static void drop(const uint64_t *cookies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tensor *t = &rescued[cookies[i]];
        if (lacuna_swap_let_go(agent, t->entry) != LACUNA_OK) continue;
        let_go_order[atomic_fetch_add(&let_go_count, 1) % RESCUED] = cookies[i];
        CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
        t->words = NULL;
    }
}

static void fill_device(uint64_t count, uint64_t bytes) {
    atomic_store(&let_go_count, 0);
    for (uint64_t i = 1; i <= count; i++) make(&rescued[i], bytes, i, i);
    CHECK_EQ(lacuna_swap_owner(agent, drop), LACUNA_OK);
}

static void empty_device(uint64_t count) {
    for (uint64_t i = 1; i <= count; i++) {
        if (rescued[i].words == NULL) bring_back(&rescued[i]);
        CHECK(is_intact(&rescued[i]));
        unmake(&rescued[i]);
    }
}

static void a_request_that_would_fail_gets_what_is_needed_last(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_device(4, 4 * MIB);
    lacuna_swap_allow(agent, 4);
    uint64_t *more = take(6 * MIB);
    CHECK(more != NULL);
    CHECK_EQ(let_go_count, 2);
    CHECK_EQ(let_go_order[0], 1);
    CHECK_EQ(let_go_order[1], 2);
    lacuna_device_counters c = counters();
    CHECK_EQ(c.rescues, 1);
    CHECK_EQ(c.rescued_bytes, 8 * MIB);
    CHECK_EQ(c.ooms, 0);
    CHECK(c.stall_ns > 0);
    lacuna_free(agent, more);
    empty_device(4);
    close_agent();
}

static void of_one_layer_the_largest_goes_and_contiguous_ones_first(void) {
    open_agent(16 * MIB, 64 * MIB);
    atomic_store(&let_go_count, 0);
    CHECK_EQ(lacuna_swap_owner(agent, drop), LACUNA_OK);
    const uint64_t sizes[] = {6 * MIB, 2 * MIB, 8 * MIB};
    for (uint64_t i = 0; i < 3; i++) make(&rescued[i + 1], sizes[i], i + 1, 1);
    rescued[3].entry->entry.contiguous = 0;
    lacuna_swap_allow(agent, 1);
    uint64_t *more = take(5 * MIB);
    CHECK(more != NULL);
    CHECK_EQ(let_go_count, 1);
    CHECK_EQ(let_go_order[0], 1);
    lacuna_free(agent, more);
    empty_device(3);
    close_agent();
}

static void the_running_layer_is_left_alone(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_device(4, 4 * MIB);
    lacuna_swap_allow(agent, 0);
    CHECK(take(4 * MIB) == NULL);
    CHECK_EQ(let_go_count, 0);
    CHECK_EQ(counters().ooms, 1);
    lacuna_swap_allow(agent, 1);
    uint64_t *more = take(4 * MIB);
    CHECK(more != NULL);
    CHECK(take(4 * MIB) == NULL);
    lacuna_free(agent, more);
    empty_device(4);
    close_agent();
}

static void without_room_on_the_host_the_request_fails_as_before(void) {
    open_agent(16 * MIB, 2 * MIB);
    fill_device(4, 4 * MIB);
    lacuna_swap_allow(agent, 4);
    CHECK(take(4 * MIB) == NULL);
    CHECK_EQ(counters().rescues, 0);
    CHECK_EQ(counters().ooms, 1);
    CHECK(counters().host_refusals > 0);
    empty_device(4);
    close_agent();
}

static void switched_off_nothing_is_rescued(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_device(4, 4 * MIB);
    lacuna_swap_allow(agent, 4);
    lacuna_swap_set(agent, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET);
    CHECK(take(4 * MIB) == NULL);
    CHECK_EQ(let_go_count, 0);
    empty_device(4);
    close_agent();
}

static void a_rescue_whose_copies_fail_takes_others(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_device(4, 4 * MIB);
    lacuna_swap_allow(agent, 4);
    atomic_store(&failures_left, 1);
    atomic_store(&sim_link_fault, fail_some);
    uint64_t *more = take(8 * MIB);
    CHECK(more != NULL);
    lacuna_free(agent, more);
    empty_device(4);
    close_agent();
}

int main(void) {
    RUN(a_request_that_would_fail_gets_what_is_needed_last);
    RUN(of_one_layer_the_largest_goes_and_contiguous_ones_first);
    RUN(the_running_layer_is_left_alone);
    RUN(without_room_on_the_host_the_request_fails_as_before);
    RUN(switched_off_nothing_is_rescued);
    RUN(a_rescue_whose_copies_fail_takes_others);
    return 0;
}
