/* The framework's own allocator beside an agent: what it holds is counted with it, never twice, and who serves is told. */
#include "trainer.h"

#include <string.h>

typedef struct played {
    lacuna_agent *agent;
    lacuna_framework_use use;
    lacuna_told waiting[8];
    size_t told;
    int changes, follows, reclaims;
    bool gone;
} played;

static int reclaim(void *context, uint64_t bytes) {
    played *p = context;
    (void)bytes;
    p->reclaims++;
    bool any = p->use.reserved_bytes[1] > p->use.allocated_bytes[1];
    p->use.reserved_bytes[1] = p->use.allocated_bytes[1];
    return any;
}

static int measure(void *context, lacuna_framework_use *out) {
    played *p = context;
    *out = p->use;
    return !p->gone;
}

static int follow(void *context) {
    played *p = context;
    p->follows++;
    return 1;
}

static void catch_up(void *context) {
    played *p = context;
    size_t count = p->told;
    p->told = 0;
    if (count > 0) CHECK_EQ(lacuna_tell(p->agent, p->waiting, count), LACUNA_OK);
}

static void changed(void *context) {
    played *p = context;
    p->changes++;
}

static void stand_beside(played *p, lacuna_agent *a) {
    *p = (played){.agent = a};
    lacuna_framework calls = {p, reclaim, measure, follow, catch_up, changed};
    CHECK_EQ(lacuna_set_framework(a, &calls), LACUNA_OK);
}

static void holds(played *p, uint64_t allocated, uint64_t reserved) {
    p->use.allocated_bytes[1] = p->use.requested_bytes = allocated;
    p->use.reserved_bytes[1] = reserved;
}

static void it_serves_alone_while_the_optimisation_and_swapping_are_off(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    played p;
    CHECK(lacuna_serves(a));
    stand_beside(&p, a);
    CHECK(lacuna_serves(a));
    CHECK_EQ(lacuna_set_optimisation(a, 0, NULL), LACUNA_OK);
    CHECK(!lacuna_serves(a));
    CHECK_EQ(p.changes, 1);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    CHECK(lacuna_serves(a));
    CHECK_EQ(p.changes, 2);
    lacuna_close(a);
}

static void swapping_needs_blocks_of_the_agents(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 64 * MIB, .optimisation = 0});
    played p;
    stand_beside(&p, a);
    CHECK(!lacuna_serves(a));
    CHECK_EQ(lacuna_swap_set(a, LACUNA_SWAP_ON, LACUNA_SWAP_KEEP_BUDGET), LACUNA_OK);
    CHECK(lacuna_serves(a));
    CHECK_EQ(lacuna_swap_set(a, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET), LACUNA_OK);
    CHECK(!lacuna_serves(a));
    lacuna_close(a);
}

static void what_it_holds_is_counted_with_the_agents_and_not_in_its_statistics(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    played p;
    stand_beside(&p, a);
    void *mine = take(a, 3 * MIB);
    holds(&p, 100 * MIB, 120 * MIB);
    p.use.split_bytes = 5 * MIB;
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    lacuna_device_counters c = count(a);
    CHECK_EQ(c.allocated_bytes, 103 * MIB);
    CHECK_EQ(c.reserved_bytes, 124 * MIB);
    CHECK_EQ(c.pools[LACUNA_POOL_STOCK_LARGE].allocated_bytes, 100 * MIB);
    CHECK_EQ(c.peak_reserved_bytes, 124 * MIB);
    CHECK_EQ(c.split_bytes, 5 * MIB + MIB);
    lacuna_report own;
    CHECK_EQ(lacuna_statistics(a, &own, sizeof own), LACUNA_OK);
    CHECK_EQ(own.of[3].current, 3 * MIB);
    CHECK_EQ(own.of[18].current, 4 * MIB);
    holds(&p, 0, 0);
    p.use.split_bytes = 0;
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 4 * MIB);
    CHECK_EQ(count(a).peak_reserved_bytes, 124 * MIB);
    give(a, mine);
    lacuna_close(a);
}

static void steps_have_the_peaks_of_both_as_they_are_told(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    played p;
    stand_beside(&p, a);
    mark(a, LACUNA_PHASE_STEP, 1);
    p.waiting[0] = (lacuna_told){LACUNA_TOLD_GROW, 0, 0x7000000000, 60 * MIB, 0};
    p.waiting[1] = (lacuna_told){LACUNA_TOLD_ALLOC, 0, 0x7000000000, 50 * MIB, 0};
    p.waiting[2] = (lacuna_told){LACUNA_TOLD_FREE, 0, 0x7000000000, 50 * MIB, 0};
    p.told = 3;
    holds(&p, 0, 60 * MIB);
    mark(a, LACUNA_PHASE_STEP, 0); /* hears first */
    lacuna_device_counters c = count(a);
    CHECK_EQ(c.last_step_peak_allocated_bytes, 50 * MIB);
    CHECK_EQ(c.last_step_peak_reserved_bytes, 60 * MIB);
    CHECK_EQ(c.allocated_bytes, 0);
    CHECK_EQ(c.lowest_safe_limit_bytes, 60 * MIB); /* nothing to rehearse: what was reserved did */
    CHECK_EQ(c.safe_basis, LACUNA_SAFE_PEAK_RESERVED);
    lacuna_close(a);
}

static void what_was_there_before_is_told_and_not_counted_again(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    played p;
    stand_beside(&p, a);
    holds(&p, 10 * MIB, 20 * MIB);
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    lacuna_told held[] = {{LACUNA_TOLD_GROW, 1, 0x7000000000, 20 * MIB, 0}, {LACUNA_TOLD_ALLOC, 1, 0x7000000000, 10 * MIB, 0}};
    CHECK_EQ(lacuna_tell(a, held, 2), LACUNA_OK);
    CHECK_EQ(count(a).allocated_bytes, 10 * MIB);
    CHECK_EQ(count(a).peak_reserved_bytes, 20 * MIB);
    lacuna_close(a);
}

static void one_cap_holds_for_both(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 1);
    played p;
    stand_beside(&p, a);
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 1, NULL), LACUNA_OK);
    holds(&p, 24 * MIB, 24 * MIB);
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    refuse(a, 10 * MIB);
    void *kept = take(a, 8 * MIB);
    CHECK_EQ(lacuna_set_fraction(a, 0.25, 0, NULL), LACUNA_WOULD_FAIL);
    give(a, kept);
    lacuna_close(a);
}

static void its_cache_is_asked_for_before_a_request_fails(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 1);
    played p;
    stand_beside(&p, a);
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 1, NULL), LACUNA_OK);
    holds(&p, 0, 24 * MIB);
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    void *served = take(a, 30 * MIB);
    CHECK_EQ(p.reclaims, 1);
    CHECK_EQ(count(a).reserved_bytes, 30 * MIB);
    CHECK_EQ(count(a).ooms, 0);
    give(a, served);
    lacuna_close(a);
}

static void only_what_all_have_failed_is_an_out_of_memory(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 1);
    played p;
    char text[64];
    stand_beside(&p, a);
    refuse(a, 80 * MIB);
    CHECK_EQ(count(a).ooms, 0);
    p.use.ooms = 1;
    CHECK_EQ(lacuna_failed(a, 80 * MIB, "CUDA out of memory. Tried to allocate 80.00 MiB."), LACUNA_OK);
    CHECK_EQ(count(a).ooms, 1);
    lacuna_last_oom(a, text, sizeof text);
    CHECK(strcmp(text, "CUDA out of memory. Tried to allocate 80.00 MiB.") == 0);
    lacuna_close(a);
}

static void turning_off_leaves_nothing_of_the_agents_behind(void) {
    lacuna_agent *a = bookkeeper(GIB, 1);
    played p;
    stand_beside(&p, a);
    void *kept = take(a, 3 * MIB);
    give(a, take(a, 40 * MIB));
    CHECK_EQ(lacuna_set_optimisation(a, 0, NULL), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 4 * MIB);
    give(a, kept);
    CHECK_EQ(count(a).reserved_bytes, 0);
    lacuna_close(a);
}

static void switching_on_is_never_refused_for_what_cannot_be_rehearsed(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 0);
    played p;
    stand_beside(&p, a);
    holds(&p, 40 * MIB, 64 * MIB);
    for (int n = 0; n < 4; n++) {
        mark(a, LACUNA_PHASE_STEP, 1);
        mark(a, LACUNA_PHASE_STEP, 0);
    }
    CHECK_EQ(lacuna_set_fraction(a, 0.9, 0, NULL), LACUNA_WOULD_FAIL);
    CHECK_EQ(lacuna_set_fraction(a, 1, 0, NULL), LACUNA_OK);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    lacuna_close(a);
}

static void one_that_is_gone_leaves_the_last_figures(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    played p;
    stand_beside(&p, a);
    holds(&p, 40 * MIB, 64 * MIB);
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    p.gone = true;
    holds(&p, 0, 0);
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 64 * MIB);
    lacuna_close(a);
}

static void what_goes_back_at_a_switch_is_told_of_both(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    played p;
    stand_beside(&p, a);
    holds(&p, 40 * MIB, 64 * MIB);
    CHECK_EQ(lacuna_catch_up(a), LACUNA_OK);
    CHECK_EQ(count(a).cache_bytes[0], 24 * MIB);
    CHECK_EQ(count(a).cache_bytes[2], 0);
    lacuna_close(a);
}

static void without_one_all_of_it_is_refused(void) {
    lacuna_agent *a = bookkeeper(GIB, 0);
    lacuna_framework_use use = {0};
    CHECK_EQ(lacuna_catch_up(a), LACUNA_INVALID);
    CHECK_EQ(lacuna_follow(a), LACUNA_INVALID);
    CHECK_EQ(lacuna_measured(a, &use), LACUNA_INVALID);
    CHECK_EQ(lacuna_tell(a, NULL, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_failed(a, 1, "x"), LACUNA_INVALID);
    CHECK(lacuna_serves(a));
    lacuna_close(a);
}

int main(void) {
    RUN(it_serves_alone_while_the_optimisation_and_swapping_are_off);
    RUN(swapping_needs_blocks_of_the_agents);
    RUN(what_it_holds_is_counted_with_the_agents_and_not_in_its_statistics);
    RUN(steps_have_the_peaks_of_both_as_they_are_told);
    RUN(what_was_there_before_is_told_and_not_counted_again);
    RUN(one_cap_holds_for_both);
    RUN(its_cache_is_asked_for_before_a_request_fails);
    RUN(only_what_all_have_failed_is_an_out_of_memory);
    RUN(turning_off_leaves_nothing_of_the_agents_behind);
    RUN(switching_on_is_never_refused_for_what_cannot_be_rehearsed);
    RUN(one_that_is_gone_leaves_the_last_figures);
    RUN(what_goes_back_at_a_switch_is_told_of_both);
    RUN(without_one_all_of_it_is_refused);
    return 0;
}
