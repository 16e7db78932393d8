/* What a switch gives back is at hand for what the new rules take, and is the machine's soon after. */
#include "trainer.h"

#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 64 };

static device *open_device(void) {
    lacuna_options options = {.backend = LACUNA_BACKEND_VIRTUAL, .capacity_bytes = SLOTS * SLOT_BYTES};
    char why[128];
    device *d = device_open(&options, 1, why, sizeof why);
    CHECK(d != NULL);
    return d;
}

static char *fill(device *d, uint64_t slot, uint64_t count, int byte) {
    CHECK(d->ops->map(d, slot * SLOT_BYTES, count * SLOT_BYTES));
    return memset(d->base + slot * SLOT_BYTES, byte, count * SLOT_BYTES);
}

static bool holds(const device *d, uint64_t slot, int byte) {
    const char *at = d->base + slot * SLOT_BYTES;
    return at[0] == byte && at[SLOT_BYTES - 1] == byte;
}

/* Whether its first page lies in memory. */
static bool is_resident(const void *address) {
    unsigned char page;
    CHECK_EQ(mincore((void *)(uintptr_t)address, 1, &page), 0);
    return page & 1;
}

static bool is_there(const device *d, uint64_t slot) { return is_resident(d->base + slot * SLOT_BYTES); }

static void release(device *d, uint64_t slot, uint64_t count) {
    CHECK(d->ops->release(d, slot * SLOT_BYTES, count * SLOT_BYTES));
    CHECK(d->ops->is_valid(d));
}

static void memory_that_was_given_back_comes_along_where_slots_are_mapped_next(void) {
    device *d = open_device();
    fill(d, 8, 4, 'a');
    d->ops->park(d, true);
    release(d, 8, 4);
    CHECK(d->ops->map(d, 20 * SLOT_BYTES, 3 * SLOT_BYTES));
    for (uint64_t slot = 20; slot < 23; slot++) CHECK(holds(d, slot, 'a'));
    CHECK(d->ops->is_valid(d));
    CHECK(!is_there(d, 8) && is_there(d, 11)); /* three of four are gone from where they were */
    d->ops->close(d);
}

static void what_is_mapped_where_it_lies_stays_there(void) {
    device *d = open_device();
    fill(d, 0, 6, 'b');
    d->ops->park(d, true);
    release(d, 0, 1);
    release(d, 2, 4);
    fill(d, 40, 1, 'c');                                   /* takes the lowest */
    CHECK(d->ops->map(d, 2 * SLOT_BYTES, 6 * SLOT_BYTES)); /* two more than are there */
    for (uint64_t slot = 1; slot < 6; slot++) CHECK(holds(d, slot, 'b'));
    CHECK(holds(d, 7, 0) && holds(d, 40, 'c'));
    memset(d->base + 2 * SLOT_BYTES, 'd', 6 * SLOT_BYTES);
    CHECK(d->ops->is_valid(d));
    d->ops->close(d);
}

static void what_lies_in_several_mappings_comes_along_too(void) {
    device *d = open_device();
    fill(d, 8, 2, 'i');
    fill(d, 30, 1, 'i');
    CHECK(d->ops->move(d, 30 * SLOT_BYTES, 10 * SLOT_BYTES, SLOT_BYTES));
    fill(d, 11, 2, 'i');
    d->ops->park(d, true);
    for (uint64_t slot = 8; slot < 13; slot++) release(d, slot, 1);
    CHECK(d->ops->map(d, 40 * SLOT_BYTES, 5 * SLOT_BYTES));
    for (uint64_t slot = 40; slot < 45; slot++) CHECK(holds(d, slot, 'i'));
    CHECK(d->ops->is_valid(d));
    d->ops->close(d);
}

static void what_is_left_goes_when_parking_ends(void) {
    device *d = open_device();
    fill(d, 0, 10, 'e');
    d->ops->park(d, true);
    release(d, 0, 10);
    CHECK(is_there(d, 0) && is_there(d, 9));
    d->ops->park(d, false);
    for (uint64_t slot = 0; slot < 10; slot++) CHECK(!is_there(d, slot));
    CHECK(d->ops->is_valid(d));
    fill(d, 0, 2, 'f');
    release(d, 0, 2);
    CHECK(!is_there(d, 0)); /* and goes at once from then on */
    d->ops->close(d);
}

static void a_forked_worker_keeps_nothing_at_hand(void) {
    device *d = open_device();
    fill(d, 3, 2, 'g');
    d->ops->park(d, true);
    release(d, 3, 2);
    d->ops->forked(d);
    CHECK(!is_there(d, 3) && !is_there(d, 4));
    d->ops->close(d);
}

static void step(lacuna_agent *a) {
    mark(a, LACUNA_PHASE_STEP, 1);
    mark(a, LACUNA_PHASE_STEP, 0);
}

/* A block of the rules that are off, freed; where it lay. */
static char *switch_with_free_memory(lacuna_agent *a) {
    char *p = take(a, 32 * MIB);
    memset(p, 'h', 32 * MIB);
    give(a, p);
    CHECK_EQ(lacuna_set_optimisation(a, 1, NULL), LACUNA_OK);
    CHECK_EQ(count(a).reserved_bytes, 0);
    CHECK(is_resident(p));
    return p;
}

static void a_switch_keeps_it_at_hand_up_to_the_end_of_the_first_whole_step(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = SLOTS * SLOT_BYTES});
    mark(a, LACUNA_PHASE_STEP, 1);
    char *p = switch_with_free_memory(a), *q = take(a, 8 * MIB);
    CHECK(q[0] == 'h' && q[8 * MIB - 1] == 'h');
    mark(a, LACUNA_PHASE_STEP, 0);
    CHECK(is_resident(p + 30 * MIB));
    step(a);
    CHECK(!is_resident(p + 30 * MIB) && is_resident(q));
    CHECK(agent_is_valid(a));
    lacuna_close(a);
}

static void emptying_the_cache_or_a_lower_cap_gives_it_back_at_once(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = SLOTS * SLOT_BYTES});
    char *p = switch_with_free_memory(a);
    CHECK_EQ(lacuna_empty_cache(a), LACUNA_OK);
    CHECK(!is_resident(p));
    CHECK_EQ(lacuna_set_optimisation(a, 0, NULL), LACUNA_OK);
    p = switch_with_free_memory(a);
    CHECK_EQ(lacuna_set_fraction(a, 0.5, 1, NULL), LACUNA_OK);
    CHECK(!is_resident(p));
    lacuna_close(a);
}

int main(void) {
    RUN(memory_that_was_given_back_comes_along_where_slots_are_mapped_next);
    RUN(what_is_mapped_where_it_lies_stays_there);
    RUN(what_lies_in_several_mappings_comes_along_too);
    RUN(what_is_left_goes_when_parking_ends);
    RUN(a_forked_worker_keeps_nothing_at_hand);
    RUN(a_switch_keeps_it_at_hand_up_to_the_end_of_the_first_whole_step);
    RUN(emptying_the_cache_or_a_lower_cap_gives_it_back_at_once);
    return 0;
}
