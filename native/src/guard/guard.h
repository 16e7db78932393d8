/*
 * guard.h - what can be taken from a training without killing it: the lowest safe limit under given settings, and whether
 * a change of settings keeps to it. docs/allocator.md, "The guard".
 */
#ifndef LACUNA_GUARD_H
#define LACUNA_GUARD_H

#include "guard/window.h"
#include "lacuna.h"
#include "types.h"

#include <stdbool.h>

#define GUARD_STEPS 256 /* whose peaks are remembered */

/* What the last steps took, the oldest overwritten; the first of all, which makes what lasts, is none of them. */
typedef struct guard_step {
    uint64_t allocated;
    uint64_t everything; /* allocated, and what was on the host alone */
    uint64_t host;       /* of the budget of swapping */
} guard_step;

struct guard {
    windows windows; /* the last whole steps */
    guard_step steps[GUARD_STEPS];
    uint64_t step_count;
    uint64_t former_everything; /* the most before swapping was changed: what steps may take until two whole ones are known */
    bool partly; /* the running step is of both kinds */
    uint64_t known_peak;      /* the highest peak of a step that the worked out limit covers */
    uint64_t known_least;
    uint64_t known_count;     /* steps by then */
    uint64_t changes;         /* of settings */
    uint64_t next_look_ns;    /* Lacuna's own thread works it out no earlier */
    uint64_t stale_ns;
};

typedef struct safe_limit {
    uint64_t bytes; /* as limit_bytes; may lie above what the device has */
    uint64_t spread_bytes;
    uint32_t basis; /* lacuna_safe_basis */
    uint32_t steps;
} safe_limit;

#define ANY_LIMIT UINT64_MAX /* none is asked for: how low may it be? */

/* All that a `set` may change, as it would hold afterwards. */
typedef struct situation {
    uint64_t limit_bytes; /* as limit_bytes of the counters */
    bool optimisation;
    int swap; /* lacuna_swap_mode */
    uint64_t budget_bytes;
    uint32_t policy; /* lacuna_pool_policy */
} situation;

/* Whether the same rules serve in both. */
static inline bool situation_keeps_rules(const situation *x, const situation *y) {
    return x->optimisation == y->optimisation && (!x->optimisation || x->policy == y->policy);
}

typedef struct verdict {
    bool safe;
    safe_limit lowest; /* in that situation */
    double lowest_fraction;
} verdict;

/* An agent gets a guard, and loses it at its end. */
bool guard_open(lacuna_agent *a);
void guard_close(lacuna_agent *a);

/* What holds now. */
situation guard_situation(lacuna_agent *a);

/* Not under the agent's lock: it is taken for a moment only, while the last steps are rehearsed the training goes on. */
verdict guard_judge(lacuna_agent *a, const situation *wanted);

/* Brings the counters' lowest safe limit up to date, where that is due; asked for now or by the thread that looks. */
void guard_refresh(lacuna_agent *a);
void guard_look(lacuna_agent *a);

/* The limit that a fraction stands for, as limit_bytes, and the least fraction that stands for such a limit or more. */
uint64_t guard_limit(const lacuna_agent *a, double fraction);
double guard_fraction(const lacuna_agent *a, uint64_t limit);

/* Under the agent's lock. */
/* The least fraction that keeps to the lowest safe limit of the counters. */
double guard_lowest_fraction(lacuna_agent *a);
void guard_step_ended(lacuna_agent *a);
void guard_settings_changed(lacuna_agent *a);
/* Steps from now on are not the like of those before. */
void guard_swapping_changed(lacuna_agent *a);
void guard_forked(lacuna_agent *a);

#endif
