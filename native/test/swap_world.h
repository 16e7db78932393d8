/*
 * swap_world.h - what the tests of swapping share: an agent that swaps, and tensors whose bytes are known from a seed.
 */
#ifndef LACUNA_TEST_SWAP_WORLD_H
#define LACUNA_TEST_SWAP_WORLD_H

#include "agent/agent.h"
#include "check.h"
#include "device/sim_link.h"
#include "swap/swap.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#define MIB (UINT64_C(1) << 20)

static lacuna_agent *agent;
static uint32_t swap_layer_number;

static inline void open_agent(uint64_t capacity, uint64_t budget) {
    const lacuna_options options = {.capacity_bytes = capacity, .optimisation = 1};
    CHECK_EQ(lacuna_open(&options, &agent), LACUNA_OK);
    CHECK_EQ(lacuna_swap_set(agent, LACUNA_SWAP_ON, budget), LACUNA_OK);
    CHECK_EQ(lacuna_swap_layer(agent, "blocks.0", &swap_layer_number), LACUNA_OK);
}

static inline void close_agent(void) {
    atomic_store(&sim_link_fault, NULL);
    lacuna_close(agent);
    agent = NULL;
}

static inline lacuna_device_counters counters(void) {
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

static inline uint64_t *take(uint64_t bytes) {
    void *p = NULL;
    return lacuna_malloc(agent, bytes, 0, &p) == LACUNA_OK ? p : NULL;
}

static inline void fill(tensor *t) {
    uint64_t state = t->seed;
    for (uint64_t i = 0; i < t->bytes / 8; i++) t->words[i] = random_next(&state);
}

static inline bool is_intact(const tensor *t) {
    uint64_t state = t->seed, *words = t->words;
    for (uint64_t i = 0; i < t->bytes / 8; i++) {
        if (words[i] != random_next(&state)) return false;
    }
    return true;
}

static inline void make(tensor *t, uint64_t bytes, uint64_t seed, uint64_t pass) {
    *t = (tensor){.bytes = bytes, .seed = seed};
    t->words = take(bytes);
    CHECK(t->words != NULL);
    fill(t);
    lacuna_swap_entry e = {.block = t->words, .bytes = bytes, .pass = pass, .cookie = seed, .layer = swap_layer_number, .contiguous = 1};
    CHECK_EQ(lacuna_swap_enter(agent, &e, &t->entry), LACUNA_OK);
}

static inline void unmake(tensor *t) {
    if (t->words != NULL) CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
    CHECK_EQ(lacuna_swap_leave(agent, t->entry), LACUNA_OK);
}

static inline void let_go(tensor *t) {
    CHECK_EQ(lacuna_swap_wait(agent, t->entry, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_let_go(agent, t->entry), LACUNA_OK);
    CHECK_EQ(lacuna_free(agent, t->words), LACUNA_OK);
    t->words = NULL;
}

static inline void bring_back(tensor *t) {
    t->words = take(t->bytes);
    CHECK(t->words != NULL);
    CHECK_EQ(lacuna_swap_in(agent, t->entry, t->words, 0), LACUNA_OK);
    CHECK_EQ(lacuna_swap_wait(agent, t->entry, 0), LACUNA_OK);
}

static inline lacuna_layer_usage usage(void) {
    lacuna_layer_usage u;
    CHECK_EQ(lacuna_swap_usage(agent, swap_layer_number, &u), LACUNA_OK);
    return u;
}

static atomic_int failures_left;

static inline bool fail_some(const device_copy *c) {
    (void)c;
    return atomic_fetch_sub(&failures_left, 1) <= 0;
}

static atomic_int late_copies;

/* Copies begin after a while: what nobody waits for happens before them. */
static inline bool begin_late(const device_copy *c) {
    (void)c;
    atomic_fetch_add(&late_copies, 1);
    const struct timespec nap = {.tv_nsec = 30000000};
    nanosleep(&nap, NULL);
    return true;
}

static inline void have_copies_begin_late(void) {
    atomic_store(&late_copies, 0);
    atomic_store(&sim_link_fault, begin_late);
}

static inline void await_late_copy(void) {
    while (atomic_load(&late_copies) == 0) sched_yield();
}

#endif
