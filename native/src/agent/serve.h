/*
 * serve.h - what an agent does once it swaps and has a guard: operation.h with what those two take part in. Under its lock.
 */
#ifndef LACUNA_SERVE_H
#define LACUNA_SERVE_H

#include "pool/operation.h"

/* Off the fast path: a request that found no memory. */
block *serve_evicting(lacuna_agent *a, alloc_request *r);
void serve_free_lent(lacuna_agent *a, block *b);

/* The block, or NULL after an out-of-memory; size > 0. Where swapping is on, the lock is given away and taken again before
 * a request fails. */
static inline block *serve_malloc(lacuna_agent *a, uint64_t size, uint64_t stream) {
    alloc_request r = {.bytes = size, .stream = stream};
    block *b = operate_malloc(a, &r);
    return __builtin_expect(b != NULL, 1) ? b : serve_evicting(a, &r);
}

static inline void serve_free(lacuna_agent *a, block *b) {
    if (__builtin_expect(b->lent != 0, 0)) serve_free_lent(a, b);
    operate_free(a, b);
}

/* False for an end without a begin, which is ignored. */
bool serve_phase(lacuna_agent *a, enum lacuna_phase phase, bool begin);
bool serve_set_rules(lacuna_agent *a, bool on, uint32_t policy);
/* After what decides whether the agent or the framework's own allocator serves; true where that is another now. */
bool serve_decide(lacuna_agent *a);

#endif
