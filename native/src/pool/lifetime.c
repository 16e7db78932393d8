#include "pool/lifetime.h"

#include "prim/pages.h"

#include <string.h>

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)
#define HIGHEST_SCORE 3

/* ------------------------------------------------------------------ keys and scores */

static uint64_t *score_of(const lifetime *l, uint64_t key) {
    return &l->scores[(key * GOLDEN) >> 50];
}

static void learn_long(lifetime *l, uint64_t key) {
    uint64_t *entry = score_of(l, key);
    if (*entry >> 3 == key && *entry != 0) {
        if ((*entry & 7) < HIGHEST_SCORE + 4) ++*entry;
    } else {
        *entry = key << 3 | (1 + 4);
    }
}

static void learn_short(lifetime *l, uint64_t key) {
    uint64_t *entry = score_of(l, key);
    if (*entry == 0) {
        *entry = key << 3 | (4 - 1);
    } else if (*entry >> 3 == key && (*entry & 7) > 4 - HIGHEST_SCORE) {
        --*entry;
    }
}

bool lifetime_is_long(const lifetime *l, uint64_t key) {
    if (key == LIFETIME_SETUP) return true;
    uint64_t entry = *score_of(l, key);
    return entry >> 3 == key && (entry & 7) >= 4 + 1;
}

/* How many requests of this size came before in the running step; counts this one. */
static uint64_t place_in_step(lifetime *l, uint64_t units) {
    uint64_t *counter = &l->counters[(units * GOLDEN) >> 52];
    if (*counter >> 8 != units) *counter = units << 8;
    uint64_t place = *counter & 0xff;
    if (place < LIFETIME_PLACES) ++*counter;
    return place;
}

/* ------------------------------------------------------------------ young blocks */

static void leave_youth(lifetime *l, block *b) {
    *(b->live.elder != NULL ? &b->live.elder->live.junior : &l->eldest) = b->live.junior;
    *(b->live.junior != NULL ? &b->live.junior->live.elder : &l->youngest) = b->live.elder;
    b->young = false;
}

static void eldest_was_long(lifetime *l) {
    block *b = l->eldest;
    leave_youth(l, b);
    learn_long(l, b->live.key);
}

uint64_t lifetime_request(lifetime *l, uint64_t rounded, bool setup) {
    l->events++;
    while (!l->steps_marked && l->eldest != NULL && l->events - l->eldest->live.born >= LIFETIME_ELDERLY) {
        eldest_was_long(l);
    }
    uint64_t units = rounded / UNIT_BYTES;
    uint64_t place = l->steps_marked ? place_in_step(l, units) : 0;
    return setup ? LIFETIME_SETUP : units * (LIFETIME_PLACES + 1) + place;
}

void lifetime_born(lifetime *l, block *b, uint64_t key) {
    b->young = key != LIFETIME_SETUP;
    if (!b->young) return;
    b->live.born = l->events;
    b->live.key = key;
    b->live.elder = l->youngest;
    b->live.junior = NULL;
    *(l->youngest != NULL ? &l->youngest->live.junior : &l->eldest) = b;
    l->youngest = b;
}

void lifetime_freed(lifetime *l, block *b) {
    l->events++;
    if (!b->young) return;
    leave_youth(l, b);
    learn_short(l, b->live.key);
}

/* ------------------------------------------------------------------ steps */

void lifetime_step_begins(lifetime *l) {
    l->steps_marked = true;
    memset(l->counters, 0, LIFETIME_COUNTERS * sizeof *l->counters);
}

void lifetime_step_ends(lifetime *l) {
    while (l->eldest != NULL) eldest_was_long(l);
}

bool lifetime_open(lifetime *l) {
    l->counters = pages_take(LIFETIME_COUNTERS * sizeof *l->counters);
    l->scores = pages_take(LIFETIME_SCORES * sizeof *l->scores);
    return l->counters != NULL && l->scores != NULL;
}

void lifetime_close(lifetime *l) {
    pages_give(l->counters, LIFETIME_COUNTERS * sizeof *l->counters);
    pages_give(l->scores, LIFETIME_SCORES * sizeof *l->scores);
}
