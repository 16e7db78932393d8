/* Requests that would fail are served by swapping: what goes, and when nothing may. */
#include "pool/state.h"
#include "swap_world.h"

#include <pthread.h>


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

static void the_running_layer_goes_when_nothing_else_is_left(void) {
    open_agent(16 * MIB, 64 * MIB);
    atomic_store(&let_go_count, 0);
    CHECK_EQ(lacuna_swap_owner(agent, drop), LACUNA_OK);
    for (uint64_t i = 1; i <= 4; i++) make(&rescued[i], 4 * MIB, i, i % 2);
    lacuna_swap_allow(agent, 0);
    uint64_t *more[3];
    for (int i = 0; i < 2; i++) CHECK((more[i] = take(4 * MIB)) != NULL);
    CHECK(let_go_order[0] % 2 == 0 && let_go_order[1] % 2 == 0);
    CHECK((more[2] = take(4 * MIB)) != NULL);
    CHECK_EQ(let_go_count, 3);
    CHECK(let_go_order[2] % 2 == 1);
    for (int i = 0; i < 3; i++) lacuna_free(agent, more[i]);
    empty_device(4);
    close_agent();
}

static void fill_with(uint64_t count, uint64_t bytes, const uint64_t *passes) {
    atomic_store(&let_go_count, 0);
    CHECK_EQ(lacuna_swap_owner(agent, drop), LACUNA_OK);
    for (uint64_t i = 0; i < count; i++) make(&rescued[i + 1], bytes, i + 1, passes[i]);
    lacuna_swap_allow(agent, 1000);
}

/* Those that are needed last, 1 and 3, would leave two whole chunks and no place. */
static void what_goes_leaves_a_place(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_with(5, 3 * MIB, (const uint64_t[]){1, 3, 2, 3, 2});
    uint64_t *more = take(6 * MIB);
    CHECK(more != NULL);
    CHECK_EQ(let_go_count, 2);
    lacuna_free(agent, more);
    empty_device(5);
    close_agent();
}

static void neighbours_go_together(void) {
    open_agent(16 * MIB, 64 * MIB);
    uint64_t passes[64];
    for (uint64_t i = 0; i < 64; i++) passes[i] = i * 37 % 64;
    fill_with(64, MIB / 4, passes);
    uint64_t *more = take(MIB);
    CHECK(more != NULL);
    CHECK_EQ(let_go_count, 4);
    uint64_t least = UINT64_MAX, most = 0;
    for (int i = 0; i < 4; i++) {
        if (let_go_order[i] < least) least = let_go_order[i];
        if (let_go_order[i] > most) most = let_go_order[i];
    }
    CHECK_EQ(most - least, 3);
    lacuna_free(agent, more);
    empty_device(64);
    close_agent();
}

/* Chunks move: those of tensors that lie apart make one place. */
static void whole_chunks_that_lie_apart_do_as_well(void) {
    open_agent(16 * MIB, 64 * MIB);
    atomic_store(&let_go_count, 0);
    CHECK_EQ(lacuna_swap_owner(agent, drop), LACUNA_OK);
    uint64_t *between[4];
    for (uint64_t i = 1; i <= 4; i++) {
        make(&rescued[i], 2 * MIB, i, i);
        between[i - 1] = take(2 * MIB);
    }
    lacuna_swap_allow(agent, 4);
    uint64_t *more = take(6 * MIB);
    CHECK(more != NULL);
    CHECK_EQ(let_go_count, 3);
    CHECK_EQ(counters().rescued_bytes, 6 * MIB);
    lacuna_free(agent, more);
    for (int i = 0; i < 4; i++) lacuna_free(agent, between[i]);
    empty_device(4);
    close_agent();
}

static uint64_t *taken_beside;
static void *take_beside(void *bytes) {
    taken_beside = take((uint64_t)(uintptr_t)bytes);
    return NULL;
}

/* All that can go is with the first, which is given more than it needs. */
static void a_rescue_waits_for_what_another_one_is_at(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_device(4, 4 * MIB);
    lacuna_swap_allow(agent, 4);
    have_copies_begin_late();
    pthread_t other;
    CHECK(pthread_create(&other, NULL, take_beside, (void *)(uintptr_t)(13 * MIB)) == 0);
    await_late_copy();
    uint64_t *mine = take(2 * MIB);
    pthread_join(other, NULL);
    CHECK(mine != NULL && taken_beside != NULL);
    atomic_store(&sim_link_fault, NULL);
    lacuna_free(agent, mine);
    lacuna_free(agent, taken_beside);
    empty_device(4);
    close_agent();
}

static void a_failure_says_what_was_tried_and_what_it_takes(void) {
    open_agent(16 * MIB, 64 * MIB);
    fill_device(3, 4 * MIB);
    lacuna_swap_allow(agent, 4);
    uint64_t *mine = take(4 * MIB);
    CHECK(take(14 * MIB) == NULL);
    CHECK(strstr(agent->oom.text, "Swapping let go of 12.00 MiB for it in ") != NULL);
    CHECK(strstr(agent->oom.text, "; nothing more can go. 0 bytes of what was saved") != NULL);
    CHECK(strstr(agent->oom.text, "It needs 18.00 MiB here at least.") != NULL);
    empty_device(3);
    lacuna_swap_set(agent, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET);
    CHECK(take(14 * MIB) == NULL);
    CHECK(strstr(agent->oom.text, "Swapping") == NULL);
    lacuna_free(agent, mine);
    close_agent();
}

static void what_swapping_cannot_have_is_counted(void) {
    open_agent(64 * MIB, 64 * MIB);
    atomic_store(&let_go_count, 0);
    CHECK_EQ(lacuna_swap_owner(agent, drop), LACUNA_OK);
    uint64_t *weights = take(4 * MIB);
    CHECK_EQ(lacuna_phase(agent, LACUNA_PHASE_STEP, 1), LACUNA_OK);
    for (uint64_t i = 1; i <= 8; i++) make(&rescued[i], 2 * MIB, i, i);
    CHECK_EQ(lacuna_swap_least(agent), 0);
    uint64_t *slope = take(2 * MIB); /* the last three may be in use */
    for (uint64_t i = 8; i > 0; i--) {
        CHECK_EQ(lacuna_swap_used(agent, rescued[i].entry), LACUNA_OK);
        CHECK(is_intact(&rescued[i]));
        unmake(&rescued[i]);
    }
    CHECK_EQ(lacuna_phase(agent, LACUNA_PHASE_STEP, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_least(agent), 12 * MIB);
    CHECK_EQ(lacuna_phase(agent, LACUNA_PHASE_STEP, 1), LACUNA_OK);
    lacuna_swap_set(agent, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET);
    CHECK_EQ(lacuna_swap_least(agent), 0);
    lacuna_swap_set(agent, LACUNA_SWAP_ON, LACUNA_SWAP_KEEP_BUDGET);
    lacuna_free(agent, take(8 * MIB));
    CHECK_EQ(lacuna_phase(agent, LACUNA_PHASE_STEP, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_least(agent), 0); /* not a whole step of it */
    lacuna_free(agent, slope);
    lacuna_free(agent, weights);
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
    RUN(the_running_layer_goes_when_nothing_else_is_left);
    RUN(what_goes_leaves_a_place);
    RUN(neighbours_go_together);
    RUN(whole_chunks_that_lie_apart_do_as_well);
    RUN(a_rescue_waits_for_what_another_one_is_at);
    RUN(a_failure_says_what_was_tried_and_what_it_takes);
    RUN(what_swapping_cannot_have_is_counted);
    RUN(without_room_on_the_host_the_request_fails_as_before);
    RUN(switched_off_nothing_is_rescued);
    RUN(a_rescue_whose_copies_fail_takes_others);
    return 0;
}
