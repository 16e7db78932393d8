/*
 * survival.h - which requests survive a run (a forward pass, or a step), and whether one is expected to by what the last runs
 * did: what MindSpeed calls recorders (docs/lifetime-pools.md, "Recorders"; the readable model is Java's SurvivalRecorder).
 */
#ifndef LACUNA_SURVIVAL_H
#define LACUNA_SURVIVAL_H

#include <stdbool.h>
#include <stdint.h>

#define SURVIVAL_MOST (UINT64_C(1) << 22) /* requests of one run; what comes beyond is not recorded */

/* A sorted set of words. */
typedef struct word_set {
    uint64_t *words;
    uint32_t count, room;
} word_set;

/*
 * What is known of the requests of one size. `last` and `running` hold tick << 32 | end, an end of UINT32_MAX meaning that the
 * block survives; `branches` the ticks from which another answer holds: tick << 1 | survives.
 */
typedef struct size_history {
    uint64_t size;
    word_set last, running, branches;
} size_history;

/* Invariants: capacity is 0 or a power of two, used <= capacity / 2; the counts are those of all sizes' sets; run > 0. */
typedef struct survival {
    size_history **sizes; /* by size, open addressing */
    uint64_t capacity, used;
    uint64_t last_count, running_count;
    uint64_t lookups; /* since the last end */
    uint32_t tick;
    uint32_t run; /* its number */
    bool recording;
    bool branched;
} survival;

/* What a block has to keep so that its free is known; run 0: it was not recorded. */
typedef struct survival_birth {
    size_history *of;
    uint32_t tick, run;
} survival_birth;

void survival_open(survival *s);
void survival_close(survival *s);

/* A run begins; its ticks start anew and nothing else; it ends, begun or not. */
void survival_begin(survival *s);
void survival_restart(survival *s);
void survival_end(survival *s);

/* Whether a request of this size is expected to survive. Counts the look-up. */
bool survival_expects(survival *s, uint64_t size);

/* A block was handed out: counts a tick, and is recorded where there is a run and memory for it. */
survival_birth survival_born(survival *s, uint64_t size);
void survival_freed(survival *s, const survival_birth *birth);

#endif
