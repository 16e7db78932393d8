/* Workers swap, and are rescued from each other, while copies fail and linger. */
#include "swap_world.h"

#include <pthread.h>
#include <time.h>

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
    lacuna_swap_entry e = {.block = words, .bytes = bytes, .pass = 1, .cookie = cookie, .layer = swap_layer_number, .contiguous = seed & 1};
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
    switch (random_below(dice, 6)) {
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
        case 4: /* the script resizes it: it is lost, and comes back only if the host has it */
            if (g->t.words == NULL || random_below(dice, 4) != 0) break;
            CHECK_EQ(lacuna_free(agent, g->t.words), LACUNA_OK);
            g->t.words = NULL;
            if (random_below(dice, 2) != 0) lacuna_swap_changed(agent, g->t.entry, NULL);
            break;
        default:
            if (g->t.words != NULL && random_below(dice, 3) == 0) lacuna_swap_changed(agent, g->t.entry, g->t.words);
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
    atomic_store(&sim_link_fault, fail_and_delay);
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
    RUN(workers_swap_and_are_rescued_while_copies_fail_and_linger);
    return 0;
}
