/*
 * cache.h - what the policies keep of memory that nobody uses: blocks come back to their own, memory goes back to the
 * device from any.
 */
#ifndef LACUNA_CACHE_H
#define LACUNA_CACHE_H

#include "pool/state.h"

/* A block that no one uses any more goes back to the pool that it came from. */
static inline void cache_put(lacuna_agent *a, block *b) {
    if (is_stock(b->pool)) {
        stock_put(a, b);
    } else {
        segregated_put(a, b);
    }
}

/* Releases cached memory in the order of docs/allocator.md until reserved <= target. */
void cache_release(lacuna_agent *a, uint64_t target);

/* The same of all that the policies not in force hold. */
void cache_release_other(lacuna_agent *a);

#endif
