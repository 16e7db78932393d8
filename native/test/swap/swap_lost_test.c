/* Blocks that are freed while the swap engine holds them, as by a script that resizes a storage. */
#include "swap_world.h"

#include <pthread.h>

static void open_with(tensor *t, uint64_t bytes) {
    open_agent(16 * MIB, 64 * MIB);
    make(t, bytes, 7, 1);
}

static void close_with(tensor *t) {
    unmake(t);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(usage().bytes[LACUNA_ON_DEVICE] + usage().bytes[LACUNA_ON_HOST], 0);
    CHECK(agent_is_valid(agent));
    close_agent();
}

static void free_under(tensor *t) {
    CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
    t->words = NULL;
    CHECK(agent_is_valid(agent));
}

static void spoil(uint64_t *words, uint64_t bytes) {
    CHECK(words != NULL);
    memset(words, 0x55, bytes);
}

static bool is_spoilt(const uint64_t *words, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes / 8; i++) {
        if (words[i] != UINT64_C(0x5555555555555555)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------ entries */

static void what_was_freed_is_copied_nowhere(void) {
    tensor t;
    open_with(&t, MIB);
    free_under(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_DEVICE);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    uint64_t *other = take(MIB);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, other, 0), LACUNA_INVALID);
    CHECK_EQ(usage().bytes[LACUNA_ON_DEVICE], 0);
    CHECK_EQ(lacuna_free(agent, other), LACUNA_OK);
    close_with(&t);
}

static void it_is_not_held_at_another_address_or_size(void) {
    tensor t;
    open_with(&t, MIB);
    uint64_t *former = t.words;
    free_under(&t);
    uint64_t *at_the_same = take(MIB), *smaller = take(4096), *larger = take(2 * MIB);
    CHECK(at_the_same == former);
    uint64_t *const given[] = {NULL, at_the_same, smaller, larger};
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(lacuna_swap_changed(agent, t.entry, given[i]), LACUNA_ON_DEVICE);
        CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_INVALID);
        CHECK(agent_is_valid(agent));
    }
    close_with(&t);
}

static void on_the_host_it_comes_into_another_block(void) {
    tensor t;
    open_with(&t, MIB);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    free_under(&t);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_HOST);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_INVALID);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    CHECK(is_intact(&t));
    close_with(&t);
}

static void the_hosts_side_from_the_last_time_counts(void) {
    tensor t;
    open_with(&t, MIB);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    free_under(&t);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_HOST);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_OK);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK_EQ(lacuna_swap_changed(agent, t.entry, NULL), LACUNA_ON_DEVICE);
    free_under(&t);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_INVALID);
    close_with(&t);
}

static void what_changed_since_is_not_brought_back(void) {
    tensor t;
    open_with(&t, MIB);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    free_under(&t);
    uint64_t *resized = take(2 * MIB);
    CHECK_EQ(lacuna_swap_changed(agent, t.entry, resized), LACUNA_ON_DEVICE);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, resized, 0), LACUNA_INVALID);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(usage().bytes[LACUNA_ON_DEVICE], 0);
    close_with(&t);
}

static void what_its_owner_has_where_no_block_is_is_lost(void) {
    tensor t;
    open_with(&t, MIB);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    uint64_t elsewhere;
    CHECK_EQ(lacuna_swap_changed(agent, t.entry, &elsewhere), LACUNA_ON_DEVICE);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_INVALID);
    CHECK(agent_is_valid(agent));
    close_with(&t);
}

/* ------------------------------------------------------------------ copies under way */

static void a_free_waits_for_the_copy_out(void) {
    tensor t;
    open_with(&t, MIB);
    have_copies_begin_late();
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    await_late_copy();
    free_under(&t);
    spoil(take(MIB), MIB);
    atomic_store(&sim_link_fault, NULL);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_HOST);
    bring_back(&t);
    CHECK(is_intact(&t));
    close_with(&t);
}

static void a_free_waits_for_the_copy_in(void) {
    tensor t;
    open_with(&t, MIB);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    have_copies_begin_late();
    t.words = take(MIB);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, t.words, 0), LACUNA_OK);
    await_late_copy();
    free_under(&t);
    uint64_t *other = take(MIB);
    spoil(other, MIB);
    atomic_store(&sim_link_fault, NULL);
    lacuna_swap_wait(agent, t.entry, 0);
    CHECK(is_spoilt(other, MIB));
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK(is_spoilt(other, MIB));
    close_with(&t);
}

static void what_has_not_begun_is_called_back(void) {
    tensor t, u;
    open_with(&t, MIB);
    make(&u, MIB, 8, 1);
    have_copies_begin_late();
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_out(agent, u.entry, 0), LACUNA_OK);
    await_late_copy();
    free_under(&u);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_COPYING_OUT);
    CHECK_EQ(lacuna_swap_where(agent, u.entry), LACUNA_ON_DEVICE);
    CHECK_EQ(counters().host_used_bytes, MIB);
    unmake(&u);
    let_go(&t);
    bring_back(&t);
    CHECK(is_intact(&t));
    close_with(&t);
}

static void *wait_for(void *argument) {
    const tensor *t = argument;
    return (void *)(intptr_t)lacuna_swap_wait(agent, t->entry, 0);
}

static void who_waits_for_what_is_freed_is_told(void) {
    tensor t;
    open_with(&t, MIB);
    have_copies_begin_late();
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    pthread_t waiter;
    CHECK(pthread_create(&waiter, NULL, wait_for, &t) == 0);
    await_late_copy();
    free_under(&t);
    void *status;
    pthread_join(waiter, &status);
    CHECK((intptr_t)status == LACUNA_INVALID || (intptr_t)status == LACUNA_OK); /* it may have looked first */
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_HOST);
    close_with(&t);
}

/* ------------------------------------------------------------------ several entries */

static void all_entries_of_a_block_are_lost(void) {
    tensor t;
    open_with(&t, MIB);
    lacuna_swap_entry e = t.entry->entry;
    lacuna_swapped *second, *third;
    CHECK_EQ(lacuna_swap_enter(agent, &e, &second), LACUNA_OK);
    CHECK_EQ(lacuna_swap_enter(agent, &e, &third), LACUNA_OK);
    CHECK_EQ(lacuna_swap_leave(agent, third), LACUNA_OK);
    free_under(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_out(agent, second, 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_leave(agent, second), LACUNA_OK);
    close_with(&t);
}

static void more_entries_than_are_counted_are_lost_too(void) {
    enum { MANY = SWAP_LENT_MOST + 20 };
    static lacuna_swapped *many[MANY];
    tensor t;
    open_with(&t, MIB);
    lacuna_swap_entry e = t.entry->entry;
    for (int i = 0; i < MANY; i++) CHECK_EQ(lacuna_swap_enter(agent, &e, &many[i]), LACUNA_OK);
    for (int i = 1; i < MANY; i++) CHECK_EQ(lacuna_swap_leave(agent, many[i]), LACUNA_OK);
    free_under(&t);
    CHECK_EQ(lacuna_swap_out(agent, many[0], 0), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_leave(agent, many[0]), LACUNA_OK);
    close_with(&t);
}

/* ------------------------------------------------------------------ rescues */

static tensor owned[5]; /* by cookie */
static unsigned asked;

static void drop(const uint64_t *cookies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tensor *t = &owned[cookies[i]];
        asked++;
        if (lacuna_swap_let_go(agent, t->entry) != LACUNA_OK) continue;
        CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
        t->words = NULL;
    }
}

static void refuse(const uint64_t *cookies, uint32_t count) {
    (void)cookies;
    asked += count;
}

static void own(uint64_t count, void (*let_go_of)(const uint64_t *, uint32_t)) {
    open_agent(16 * MIB, 64 * MIB);
    asked = 0;
    for (uint64_t i = 1; i <= count; i++) make(&owned[i], 4 * MIB, i, i);
    CHECK_EQ(lacuna_swap_owner(agent, let_go_of), LACUNA_OK);
    lacuna_swap_allow(agent, count);
}

static void disown(uint64_t count) {
    for (uint64_t i = 1; i <= count; i++) unmake(&owned[i]);
    CHECK(agent_is_valid(agent));
    close_agent();
}

static void no_rescue_takes_what_was_freed(void) {
    own(2, drop);
    free_under(&owned[1]);
    uint64_t *more = take(12 * MIB);
    CHECK(more != NULL);
    uint64_t *rescued = take(4 * MIB);
    CHECK(rescued != NULL);
    CHECK_EQ(asked, 1);
    CHECK(take(4 * MIB) == NULL);
    CHECK_EQ(asked, 1);
    CHECK_EQ(counters().ooms, 1);
    CHECK_EQ(counters().rescued_bytes, 4 * MIB);
    CHECK_EQ(lacuna_free(agent, more), LACUNA_OK);
    bring_back(&owned[2]);
    CHECK(is_intact(&owned[2]));
    disown(2);
}

static void an_owner_who_lets_nothing_go_is_asked_once_for_each(void) {
    own(4, refuse);
    CHECK(take(4 * MIB) == NULL);
    CHECK_EQ(asked, 4);
    CHECK_EQ(counters().ooms, 1);
    CHECK_EQ(counters().rescues, 0);
    CHECK_EQ(counters().rescued_bytes, 0);
    disown(4);
}

int main(void) {
    RUN(what_was_freed_is_copied_nowhere);
    RUN(it_is_not_held_at_another_address_or_size);
    RUN(on_the_host_it_comes_into_another_block);
    RUN(the_hosts_side_from_the_last_time_counts);
    RUN(what_changed_since_is_not_brought_back);
    RUN(what_its_owner_has_where_no_block_is_is_lost);
    RUN(a_free_waits_for_the_copy_out);
    RUN(a_free_waits_for_the_copy_in);
    RUN(what_has_not_begun_is_called_back);
    RUN(who_waits_for_what_is_freed_is_told);
    RUN(all_entries_of_a_block_are_lost);
    RUN(more_entries_than_are_counted_are_lost_too);
    RUN(no_rescue_takes_what_was_freed);
    RUN(an_owner_who_lets_nothing_go_is_asked_once_for_each);
    return 0;
}
