/*
 * segregated.h - the optimised policy: pools by lifetime and size in virtual addresses, over shared physical chunks
 * (docs/allocator.md, "Segregated").
 */
#ifndef LACUNA_SEGREGATED_H
#define LACUNA_SEGREGATED_H

#include "order.h"

#define SEGREGATED_POOLS (LACUNA_POOL_COUNT - LACUNA_POOL_SHORT_SMALL)

/* Invariant: top[i] is the highest block of its range; while the range's end is free, it is the tail extent. */
typedef struct segregated {
    order *extents[SEGREGATED_POOLS];
    block *top[SEGREGATED_POOLS];
} segregated;

enum growth { MAY_GROW, AS_MAPPED };

bool segregated_open(lacuna_agent *a);
void segregated_close(segregated *s);

/* A block of the pool; NULL when no position can be filled. AS_MAPPED takes only what is mapped already. */
block *segregated_take(lacuna_agent *a, uint8_t pool, uint64_t rounded, enum growth growth);

/* A block becomes free. */
void segregated_put(lacuna_agent *a, block *b);

#endif
