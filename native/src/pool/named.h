/*
 * named.h - phases by name: how long each was open, and the most that was held meanwhile. Any number of them may be open,
 * one within another; a peak counts for all that are.
 */
#ifndef LACUNA_NAMED_H
#define LACUNA_NAMED_H

#include "lacuna.h"

#include <stdbool.h>

typedef struct named_phase {
    lacuna_named_use use; /* `open_ns` without the time since `began_ns` while it is open */
    uint32_t depth;
    uint64_t began_ns;
} named_phase;

/* Invariant: names differ. The peaks are those since the last mark. */
typedef struct named_phases {
    named_phase of[LACUNA_NAMED_PHASES];
    uint32_t count;
    uint64_t peak_allocated_bytes, peak_reserved_bytes;
} named_phases;

/* What is held now. */
typedef struct held_now {
    uint64_t time_ns, allocated_bytes, reserved_bytes;
} held_now;

/* The phase begins or ends. A name that no room is left for is the last one's. */
void named_mark(named_phases *p, const char *name, bool begin, held_now now);

/* False where there is no phase of that number. */
bool named_use(const named_phases *p, uint32_t number, held_now now, lacuna_named_use *out);

#endif
