/*
 * host_pool.h - the host side of what is swapped: memory that copies can use directly, within a budget.
 *
 * Invariants: taken_bytes = used_bytes + the cached pieces' bytes; taken_bytes <= budget_bytes, unless the budget was
 * lowered below what is in use. What does not fit is refused; nobody gets less than he asked for.
 */
#ifndef LACUNA_HOST_POOL_H
#define LACUNA_HOST_POOL_H

#include "device/device.h"

struct cached;

typedef struct host_pool {
    device *device;
    uint64_t budget_bytes;
    uint64_t used_bytes;
    uint64_t peak_bytes; /* of these, since somebody began to count anew */
    uint64_t taken_bytes;
    struct cached *cached; /* last given back first */
} host_pool;

/* NULL where the budget or the machine does not allow it. `*held` is what the memory counts as; give it back with it. */
void *host_pool_take(host_pool *p, uint64_t bytes, uint64_t *held);
void host_pool_give(host_pool *p, void *memory, uint64_t held);

/* Cached memory goes back until no more is taken than the budget, as far as it is not in use. */
void host_pool_set_budget(host_pool *p, uint64_t bytes);

/* All cached memory goes back; what is in use stays. */
void host_pool_empty(host_pool *p);

#endif
