/*
 * lifetime.h - long or short: learned from what earlier requests of the same size and place in the step became.
 * The rules stand in docs/allocator.md, "Lifetime".
 */
#ifndef LACUNA_LIFETIME_H
#define LACUNA_LIFETIME_H

#include "pool/block.h"

#define LIFETIME_COUNTERS 4096
#define LIFETIME_SCORES 16384
#define LIFETIME_ELDERLY 2048 /* events after which a block counts as long-lived where the trainer marks no steps */
#define LIFETIME_PLACES 63    /* later requests of one size in a step share the last place */
#define LIFETIME_SETUP UINT64_MAX /* the key of a request under set-up: it is long, and teaches nothing */

/*
 * Invariants: young blocks are LIVE and linked from eldest to youngest in order of birth. counters[i] holds
 * (rounded / 512) << 8 | places seen (at most 63), 0 = empty. scores[i] holds key << 3 | score + 4, 0 = empty; the
 * score is in -3 … 3, so that a used entry is never 0.
 */
typedef struct lifetime {
    uint64_t events;
    bool steps_marked;
    block *eldest, *youngest;
    uint64_t *counters;
    uint64_t *scores;
} lifetime;

bool lifetime_open(lifetime *l);
void lifetime_close(lifetime *l);

/* An allocation is asked for: counts it and returns its key. */
uint64_t lifetime_request(lifetime *l, uint64_t rounded, bool setup);

/* Whether the request with this key is to be placed among the long-lived. */
bool lifetime_is_long(const lifetime *l, uint64_t key);

/* The block that the request got. */
void lifetime_born(lifetime *l, block *b, uint64_t key);

/* A block is freed: counts it, and learns from it if it was young. */
void lifetime_freed(lifetime *l, block *b);

/* The outermost phase `step` begins or ends. */
void lifetime_step_begins(lifetime *l);
void lifetime_step_ends(lifetime *l);

#endif
