/*
 * rehearsal.h - the steps of a window played again on a copy: would all be served under other settings?
 */
#ifndef LACUNA_REHEARSAL_H
#define LACUNA_REHEARSAL_H

#include "guard/window.h"

/* A block that outlives the window takes the name of one that came before it and was freed in it, so that what frees the
 * one in the next round frees the other. */
typedef struct heir {
    uint64_t from, to;
} heir;

typedef struct rehearsal {
    window_view view;
    heir *heirs;
    uint64_t heir_count;
    uint64_t heir_bytes; /* of the list */
} rehearsal;

/* What is tried: the settings hold from entry `at` on, counted over the rounds, those of the window's beginning before. */
typedef struct trial {
    bool optimisation;
    uint32_t policy; /* lacuna_pool_policy */
    uint64_t limit;  /* without what was inherited */
    uint64_t at;
    uint32_t rounds;
    uint64_t deadline_ns; /* then it is given up */
} trial;

enum outcome { OUTCOME_SERVED, OUTCOME_FAILED, OUTCOME_UNKNOWN /* no memory to try it, or no time */ };

/* False where there is no memory for it. The view stays its owner's. */
bool rehearsal_open(rehearsal *r, const window_view *view);
void rehearsal_close(rehearsal *r);

/* `peak_reserved`, where not NULL, is the most that was reserved once the settings held. */
enum outcome rehearsal_play(const rehearsal *r, const trial *t, uint64_t *peak_reserved);

#endif
