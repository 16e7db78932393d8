/*
 * segregated.h - the optimised policy: one range of addresses for a size class, in which lifetime decides where a block
 * goes, over shared physical chunks (docs/allocator.md, "Segregated").
 */
#ifndef LACUNA_SEGREGATED_H
#define LACUNA_SEGREGATED_H

#include "pool/range.h"

#define SEGREGATED_RANGES 2 /* small and large */

/* Invariant: of a range's mapped bytes its long pool reserves what long blocks hold, the short pool the rest. */
typedef struct segregated {
    range *ranges[SEGREGATED_RANGES];
} segregated;

enum growth { MAY_GROW, AS_MAPPED };

bool segregated_open(lacuna_agent *a);
void segregated_close(segregated *s);

/* A block of the pool; NULL when no position can be filled. AS_MAPPED takes only what is mapped already. */
block *segregated_take(lacuna_agent *a, uint8_t pool, uint64_t rounded, enum growth growth);

/* A block that was cut out of a range belongs to the pool from now on. */
void segregated_adopt(lacuna_agent *a, block *b, uint8_t pool);

/* A block becomes free. Idle slots go back to the device where nothing may be cached. */
void segregated_put(lacuna_agent *a, block *b);

/* Gives idle chunks back until reserved <= target or none is left that may go. */
void segregated_release(lacuna_agent *a, uint64_t target);

#endif
