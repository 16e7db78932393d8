/* The swap engine on the virtual device: its states, the host's budget, failures, rescues, fork. */
#include "agent.h"
#include "check.h"
#include "link.h"
#include "swap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)

static lacuna_agent *agent;
static uint32_t layer;

static void open_agent(uint64_t capacity, uint64_t budget) {
    const lacuna_options options = {.capacity_bytes = capacity, .optimisation = 1};
    CHECK_EQ(lacuna_open(&options, &agent), LACUNA_OK);
    CHECK_EQ(lacuna_swap_set(agent, LACUNA_SWAP_ON, budget), LACUNA_OK);
    CHECK_EQ(lacuna_swap_layer(agent, "blocks.0", &layer), LACUNA_OK);
}

static void close_agent(void) {
    atomic_store(&link_fault, NULL);
    lacuna_close(agent);
    agent = NULL;
}

static lacuna_device_counters counters(void) {
    lacuna_device_counters c;
    CHECK_EQ(lacuna_counters(agent, &c), LACUNA_OK);
    return c;
}

/* ------------------------------------------------------------------ tensors */

/* What an owner keeps: bytes that are known from a seed, their entry, and the block while it is held. */
typedef struct tensor {
    uint64_t *_Atomic words;
    uint64_t bytes, seed;
    lacuna_swapped *entry;
} tensor;

static uint64_t *take(uint64_t bytes) {
    void *p = NULL;
    return lacuna_malloc(agent, bytes, 0, &p) == LACUNA_OK ? p : NULL;
}

static void fill(tensor *t) {
    uint64_t state = t->seed;
    for (uint64_t i = 0; i < t->bytes / 8; i++) t->words[i] = random_next(&state);
}

static bool is_intact(const tensor *t) {
    uint64_t state = t->seed, *words = t->words;
    for (uint64_t i = 0; i < t->bytes / 8; i++) {
        if (words[i] != random_next(&state)) return false;
    }
    return true;
}

static void make(tensor *t, uint64_t bytes, uint64_t seed, uint64_t pass) {
    *t = (tensor){.bytes = bytes, .seed = seed};
    t->words = take(bytes);
    CHECK(t->words != NULL);
    fill(t);
    lacuna_swap_entry e = {.block = t->words, .bytes = bytes, .pass = pass, .cookie = seed, .layer = layer, .contiguous = 1};
    CHECK_EQ(lacuna_swap_enter(agent, &e, &t->entry), LACUNA_OK);
}

static void unmake(tensor *t) {
    if (t->words != NULL) CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
    CHECK_EQ(lacuna_swap_leave(agent, t->entry), LACUNA_OK);
}

static void let_go(tensor *t) {
    CHECK_EQ(lacuna_swap_wait(agent, t->entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_let_go(agent, t->entry), LACUNA_OK);
    CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
    t->words = NULL;
}

static void bring_back(tensor *t) {
    t->words = take(t->bytes);
    CHECK(t->words != NULL);
    CHECK_EQ(lacuna_swap_in(agent, t->entry, t->words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t->entry, 0), LACUNA_OK);
}

static lacuna_layer_usage usage(void) {
    lacuna_layer_usage u;
    CHECK_EQ(lacuna_swap_usage(agent, layer, &u), LACUNA_OK);
    return u;
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
    open_agent(64 * MIB, 64 * MIB);
    tensor t;
    make(&t, MIB, 7, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_HOST);
    let_go(&t);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK_EQ(counters().swapped_out_bytes, MIB);
    unmake(&t);
    close_agent();
}

static void only_what_is_on_the_host_is_let_go(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor t;
    make(&t, MIB, 7, 1);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    CHECK_EQ(lacuna_swap_in(agent, t.entry, t.words, 0), LACUNA_INVALID);
    unmake(&t);
    close_agent();
}

static void what_is_no_block_is_not_entered(void) {
    open_agent(64 * MIB, 64 * MIB);
    uint64_t word;
    lacuna_swapped *entry;
    lacuna_swap_entry e = {.block = &word, .bytes = 8, .cookie = 1, .layer = layer};
    CHECK_EQ(lacuna_swap_enter(agent, &e, &entry), LACUNA_UNKNOWN_POINTER);
    e.block = take(MIB);
    e.bytes = 2 * MIB;
    CHECK_EQ(lacuna_swap_enter(agent, &e, &entry), LACUNA_UNKNOWN_POINTER);
    e.bytes = MIB;
    e.layer = layer + 1;
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

static atomic_int failures_left;

static bool fail_some(const device_copy *c) {
    (void)c;
    return atomic_fetch_sub(&failures_left, 1) <= 0;
}

static void a_failed_copy_out_leaves_the_tensor_where_it_is(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor t;
    make(&t, MIB, 7, 1);
    atomic_store(&failures_left, 1);
    atomic_store(&link_fault, fail_some);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, t.entry), LACUNA_ON_DEVICE);
    CHECK_EQ(lacuna_swap_let_go(agent, t.entry), LACUNA_INVALID);
    CHECK_EQ(counters().host_used_bytes, 0);
    CHECK_EQ(counters().copy_failures, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    CHECK(is_intact(&t));
    unmake(&t);
    close_agent();
}

static void a_copy_in_that_keeps_failing_is_read_without_the_link(void) {
    open_agent(64 * MIB, 64 * MIB);
    tensor t;
    make(&t, MIB, 7, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    atomic_store(&failures_left, 1000);
    atomic_store(&link_fault, fail_some);
    bring_back(&t);
    CHECK(is_intact(&t));
    CHECK(counters().copy_failures >= 2);
    unmake(&t);
    close_agent();
}

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
    atomic_store(&link_fault, fail_some);
    uint64_t *more = take(8 * MIB);
    CHECK(more != NULL);
    lacuna_free(agent, more);
    empty_device(4);
    close_agent();
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
    unmake(&t);
    close_agent();
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

/* ------------------------------------------------------------------ fork */

static void a_forked_child_reads_back_and_swaps_no_more(void) {
    open_agent(64 * MIB, 64 * MIB);
    lacuna_swap_link(agent, 20 * MIB, 0);
    tensor on_host, moving;
    make(&on_host, MIB, 7, 1);
    make(&moving, 4 * MIB, 8, 1);
    CHECK_EQ(lacuna_swap_out(agent, on_host.entry, 0), LACUNA_OK);
    let_go(&on_host);
    CHECK_EQ(lacuna_swap_out(agent, moving.entry, 0), LACUNA_OK);
    agent_hold(agent);
    pid_t child = fork();
    if (child == 0) {
        agent_fork_child(agent);
        CHECK_EQ(lacuna_swap_mode(agent), LACUNA_SWAP_OFF);
        CHECK_EQ(lacuna_swap_where(agent, moving.entry), LACUNA_ON_DEVICE);
        CHECK(is_intact(&moving));
        bring_back(&on_host);
        CHECK(is_intact(&on_host));
        CHECK_EQ(lacuna_swap_out(agent, moving.entry, 0), LACUNA_INVALID);
        unmake(&on_host);
        unmake(&moving);
        _exit(0);
    }
    agent_release(agent);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(lacuna_swap_wait(agent, moving.entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_where(agent, moving.entry), LACUNA_ON_HOST);
    bring_back(&on_host);
    CHECK(is_intact(&on_host));
    unmake(&on_host);
    unmake(&moving);
    close_agent();
}

/* ------------------------------------------------------------------ stress */

static bool fail_and_delay(const device_copy *c) {
    static _Atomic uint64_t turn;
    uint64_t state = atomic_fetch_add(&turn, 1) * 2 + c->out + 1;
    uint64_t dice = random_next(&state) % 16;
    if (dice < 4) {
        const struct timespec nap = {.tv_nsec = (long)dice * 200000};
        nanosleep(&nap, NULL);
    }
    return dice != 15;
}

enum { WORKERS = 4, OWN = 12 };

/* Each worker owns tensors, moves them at random, and looks at every byte that comes back. Requests are rescued from
 * all workers' tensors at once: a spare lock per tensor stands for Python's own. */
typedef struct guarded {
    pthread_mutex_t lock;
    tensor t;
    bool made;
} guarded;
static guarded owned[WORKERS * OWN + 1];

static void drop_any(const uint64_t *cookies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        guarded *g = &owned[cookies[i]];
        if (pthread_mutex_trylock(&g->lock) != 0) continue; /* its worker is at it */
        if (g->made && g->t.words != NULL && lacuna_swap_let_go(agent, g->t.entry) == LACUNA_OK) {
            CHECK_EQ(lacuna_free(agent, g->t.words), LACUNA_OK);
            g->t.words = NULL;
        }
        pthread_mutex_unlock(&g->lock);
    }
}

static void make_or_leave(guarded *g, uint64_t cookie, uint64_t bytes, uint64_t seed) {
    uint64_t *words = take(bytes);
    if (words == NULL) return;
    g->t = (tensor){.bytes = bytes, .seed = seed};
    g->t.words = words;
    fill(&g->t);
    lacuna_swap_entry e = {.block = words, .bytes = bytes, .pass = 1, .cookie = cookie, .layer = layer, .contiguous = seed & 1};
    CHECK_EQ(lacuna_swap_enter(agent, &e, &g->t.entry), LACUNA_OK);
    g->made = true;
}

static void return_or_stay(guarded *g) {
    uint64_t *words = take(g->t.bytes);
    if (words == NULL) return;
    if (lacuna_swap_in(agent, g->t.entry, words, 0) != LACUNA_OK) {
        lacuna_free(agent, words);
        return;
    }
    g->t.words = words;
    CHECK_EQ(lacuna_swap_wait(agent, g->t.entry, 0), LACUNA_OK);
    CHECK(is_intact(&g->t));
}

static void one_turn(guarded *g, uint64_t cookie, uint64_t *dice) {
    if (!g->made) {
        make_or_leave(g, cookie, (1 + random_below(dice, 12)) * 128 * 1024, random_next(dice) | 1);
        return;
    }
    switch (random_below(dice, 5)) {
        case 0: lacuna_swap_out(agent, g->t.entry, 0); break;
        case 1:
            if (g->t.words != NULL && lacuna_swap_let_go(agent, g->t.entry) == LACUNA_OK) {
                lacuna_free(agent, g->t.words);
                g->t.words = NULL;
            }
            break;
        case 2:
            if (g->t.words == NULL) return_or_stay(g);
            break;
        case 3:
            if (g->t.words != NULL) CHECK(lacuna_swap_where(agent, g->t.entry) == LACUNA_COPYING_IN || is_intact(&g->t));
            break;
        default:
            if (random_below(dice, 3) != 0) break;
            CHECK_EQ(lacuna_swap_leave(agent, g->t.entry), LACUNA_OK);
            if (g->t.words != NULL) lacuna_free(agent, g->t.words);
            g->made = false;
    }
}

static void *work(void *argument) {
    uint64_t worker = (uint64_t)(uintptr_t)argument, dice = worker + 99, turns = effort(4000, 100000);
    for (uint64_t i = 0; i < turns; i++) {
        uint64_t cookie = 1 + worker * OWN + random_below(&dice, OWN);
        guarded *g = &owned[cookie];
        pthread_mutex_lock(&g->lock);
        one_turn(g, cookie, &dice);
        pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

static void workers_swap_and_are_rescued_while_copies_fail_and_linger(void) {
    open_agent(24 * MIB, 20 * MIB);
    CHECK_EQ(lacuna_swap_owner(agent, drop_any), LACUNA_OK);
    lacuna_swap_allow(agent, 1);
    atomic_store(&link_fault, fail_and_delay);
    for (int i = 0; i <= WORKERS * OWN; i++) pthread_mutex_init(&owned[i].lock, NULL);
    pthread_t workers[WORKERS];
    for (uintptr_t i = 0; i < WORKERS; i++) CHECK(pthread_create(&workers[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
    lacuna_device_counters c = counters();
    CHECK(c.swapped_out_bytes > 0 && c.swapped_in_bytes > 0 && c.copy_failures > 0 && c.rescues > 0);
    for (int i = 1; i <= WORKERS * OWN; i++) {
        guarded *g = &owned[i];
        if (!g->made) continue;
        CHECK_EQ(lacuna_swap_leave(agent, g->t.entry), LACUNA_OK);
        if (g->t.words != NULL) lacuna_free(agent, g->t.words);
    }
    c = counters();
    CHECK_EQ(c.allocated_bytes, 0);
    CHECK_EQ(c.host_used_bytes, 0);
    CHECK_EQ(c.swapping_out_bytes + c.swapping_in_bytes, 0);
    CHECK(agent_is_valid(agent));
    close_agent();
}

int main(void) {
    RUN(a_tensor_goes_out_and_comes_back_bit_for_bit);
    RUN(a_second_trip_needs_no_copy_out);
    RUN(only_what_is_on_the_host_is_let_go);
    RUN(what_is_no_block_is_not_entered);
    RUN(switched_off_nothing_goes_out_and_everything_comes_back);
    RUN(an_exhausted_budget_is_an_error_and_the_tensor_stays);
    RUN(a_lowered_budget_holds_for_what_comes);
    RUN(a_failed_copy_out_leaves_the_tensor_where_it_is);
    RUN(a_copy_in_that_keeps_failing_is_read_without_the_link);
    RUN(a_request_that_would_fail_gets_what_is_needed_last);
    RUN(of_one_layer_the_largest_goes_and_contiguous_ones_first);
    RUN(the_running_layer_is_left_alone);
    RUN(without_room_on_the_host_the_request_fails_as_before);
    RUN(switched_off_nothing_is_rescued);
    RUN(a_rescue_whose_copies_fail_takes_others);
    RUN(a_copy_takes_at_least_as_long_as_the_link_says);
    RUN(what_leaves_before_its_copy_begins_is_called_back);
    RUN(a_forked_child_reads_back_and_swaps_no_more);
    RUN(workers_swap_and_are_rescued_while_copies_fail_and_linger);
    return 0;
}
