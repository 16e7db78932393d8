/*
 * framework.h - the framework's own allocator where it serves beside an agent: what it holds, as it tells and as it is
 * measured. Apart from the agent's own counters, since its blocks are none of the agent's; publish.h adds both.
 */
#ifndef LACUNA_FRAMEWORK_H
#define LACUNA_FRAMEWORK_H

#include "lacuna.h"
#include "types.h"

#include <stdbool.h>

/* What was told since it was measured may be ahead of the figures that only measuring gives: these add up all the same. */
typedef struct framework_gap {
    uint64_t reserved, requested;
    uint64_t pending, split, releasable; /* reserved - allocated */
} framework_gap;

/* Invariant: without calls all is zero. Peaks are those of both together. */
typedef struct framework {
    lacuna_framework calls;
    bool present;
    bool alone; /* it serves all requests; atomic */
    lacuna_framework_use use; /* as last measured, and what was told since */
    framework_gap gap; /* of `use`: worked out when that changes, read with every request */
    uint64_t peak_allocated_bytes, peak_reserved_bytes;
    uint64_t step_peak_allocated_bytes, step_peak_reserved_bytes;
    uint64_t last_step_peak_allocated_bytes, last_step_peak_reserved_bytes;
    uint64_t most_reserved_bytes; /* it alone, at a time */
    uint64_t ever_reserved_bytes; /* the peak of both that no reset forgets */
} framework;

static inline uint64_t framework_reserved(const framework *f) {
    return f->use.reserved_bytes[0] + f->use.reserved_bytes[1];
}

static inline uint64_t framework_allocated(const framework *f) {
    return f->use.allocated_bytes[0] + f->use.allocated_bytes[1];
}

/* All under the agent's lock. */

/* It is alone while the optimisation is off, nothing is swapped and nothing of what was is away still. True where that is new. */
bool framework_decide(lacuna_agent *a);

void framework_measured(lacuna_agent *a, const lacuna_framework_use *use);
void framework_told(lacuna_agent *a, const lacuna_told *told);

void framework_forget_peaks(framework *f);

/* After anything that may have raised what both hold; after a request that mapped nothing. */
void framework_note_peaks(lacuna_agent *a);
void framework_note_allocated(lacuna_agent *a);
void framework_step(lacuna_agent *a, bool begins);

/* What readers are told of both: `out` holds the agent's own counters. */
void framework_add(const lacuna_agent *a, lacuna_device_counters *out);

#endif
