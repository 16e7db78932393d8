#include "pool/policy.h"

#include "pool/cache.h"
#include "pool/mindspeed.h"

static bool is_small(const alloc_request *r) {
    return r->rounded <= SMALL_BYTES;
}

static uint8_t stock_pool(bool small) {
    return small ? LACUNA_POOL_STOCK_SMALL : LACUNA_POOL_STOCK_LARGE;
}

static uint8_t segregated_pool(bool long_lived, bool small) {
    if (long_lived) return small ? LACUNA_POOL_LONG_SMALL : LACUNA_POOL_LONG_LARGE;
    return small ? LACUNA_POOL_SHORT_SMALL : LACUNA_POOL_SHORT_LARGE;
}

static void count_retry(lacuna_agent *a, alloc_request *r) {
    r->retried = true;
    a->counters.retries++;
    tell(a, LACUNA_EVENT_RETRY, LACUNA_POOL_NONE, r->stream, 0, policy_tried(a, r));
}

static block *found_elsewhere(lacuna_agent *a, alloc_request *r, block *b) {
    if (b != NULL && !r->retried) count_retry(a, r);
    return b;
}

/* The pools of one policy hold nothing for the request: those of its size class and then, for a small one, the large. */

static block *from_stock(lacuna_agent *a, const alloc_request *r, bool small) {
    block *b = stock_take_cached(a, stock_pool(small), r->rounded, r->stream);
    return b != NULL || !small ? b : from_stock(a, r, false);
}

static block *from_lifetime(lacuna_agent *a, const alloc_request *r, bool small) {
    block *b = stock_take_cached(a, segregated_pool(r->long_lived, small), r->rounded, r->stream);
    if (b == NULL) b = stock_take_cached(a, segregated_pool(!r->long_lived, small), r->rounded, r->stream);
    return b != NULL || !small ? b : from_lifetime(a, r, false);
}

static block *from_segregated_as_mapped(lacuna_agent *a, const alloc_request *r, bool small) {
    block *b = segregated_take(a, segregated_pool(r->long_lived, small), r->rounded, AS_MAPPED);
    return b != NULL || !small ? b : from_segregated_as_mapped(a, r, false);
}

/* ------------------------------------------------------------------ optimisation on */

static block *fall_back_from_segregated(lacuna_agent *a, const alloc_request *r) {
    bool small = is_small(r);
    block *b = small ? segregated_take(a, segregated_pool(r->long_lived, false), r->rounded, MAY_GROW) : NULL;
    if (b == NULL) b = from_stock(a, r, small);
    return b != NULL ? b : from_lifetime(a, r, small);
}

static block *serve_segregated(lacuna_agent *a, alloc_request *r) {
    uint8_t pool = segregated_pool(r->long_lived, is_small(r));
    block *b = segregated_take(a, pool, r->rounded, MAY_GROW);
    if (b != NULL) return b;
    if (pending_complete(a) > 0) {
        if (!r->retried) count_retry(a, r);
        b = segregated_take(a, pool, r->rounded, MAY_GROW);
        if (b != NULL) return b;
    }
    return found_elsewhere(a, r, fall_back_from_segregated(a, r));
}

/* ------------------------------------------------------------------ optimisation off */

static block *serve_stock(lacuna_agent *a, alloc_request *r) {
    uint8_t pool = stock_pool(is_small(r));
    block *b = stock_take_cached(a, pool, r->rounded, r->stream);
    if (b == NULL) b = stock_take_new(a, pool, r->rounded, r->stream);
    if (b != NULL) return b;
    pending_complete(a);
    cache_release(a, 0);
    if (!r->retried) count_retry(a, r);
    b = stock_take_new(a, pool, r->rounded, r->stream);
    if (b == NULL && is_small(r)) b = from_stock(a, r, false);
    if (b == NULL) b = from_lifetime(a, r, is_small(r));
    return b != NULL ? b : from_segregated_as_mapped(a, r, is_small(r));
}

/* ------------------------------------------------------------------ optimisation on, by MindSpeed's rules */

static block *serve_lifetime(lacuna_agent *a, alloc_request *r) {
    block *b = mindspeed_serve(a, r);
    if (b != NULL) return b;
    pending_complete(a);
    cache_release(a, 0);
    if (!r->retried) count_retry(a, r);
    b = mindspeed_insist(a, r);
    if (b == NULL) b = from_stock(a, r, is_small(r));
    return b != NULL ? b : from_segregated_as_mapped(a, r, is_small(r));
}

/* ------------------------------------------------------------------ all of them */

static block *serve(lacuna_agent *a, alloc_request *r) {
    switch (serving(a)) {
    case SIDE_STOCK: return serve_stock(a, r);
    case SIDE_LIFETIME: return serve_lifetime(a, r);
    default: return serve_segregated(a, r);
    }
}

void policy_turn(lacuna_agent *a, uint64_t stream) {
    if (!fence_turn(a, stream)) return;
    cache_release_other(a);
    if (a->counters.reserved_bytes > a->counters.limit_bytes) cache_release(a, a->counters.limit_bytes);
}

/* On devices with real streams first without what is still in use there; waiting is better than out-of-memory only. */
block *policy_serve(lacuna_agent *a, alloc_request *r) {
    block *b = serve(a, r);
    if (b != NULL || !a->fence.active) return b;
    look_outside(a);
    fence_set_blocking(&a->fence, true);
    b = serve(a, r);
    fence_set_blocking(&a->fence, false);
    return b;
}

uint64_t policy_tried(const lacuna_agent *a, const alloc_request *r) {
    switch (serving(a)) {
    case SIDE_STOCK: return stock_segment_bytes(r->rounded);
    case SIDE_LIFETIME: return mindspeed_tried(r);
    default: return r->rounded;
    }
}
