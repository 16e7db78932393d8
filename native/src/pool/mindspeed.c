#include "pool/mindspeed.h"

#include "pool/cache.h"

#include <stdlib.h>

#define KEPT_WHOLE_FROM UINT64_C(1800000000)       /* myMaxSplitSize: outside forward passes such a block is kept from small requests */
#define TOLERATED_REST (UINT64_C(20) << 20)        /* kLargeBuffer: what leaves less of it may have it all the same */
#define DEVICE_RESERVE (INT64_C(200) << 20)        /* memory_fail_prejudgment: so near the end the device is not asked */

/* ------------------------------------------------------------------ recording */

bool mindspeed_begin(lacuna_agent *a) {
    mindspeed *m = calloc(1, sizeof *m);
    if (m == NULL) return false;
    survival_open(&m->forward);
    survival_open(&m->step);
    m->exact = a->phase_depth[LACUNA_PHASE_SETUP] > 0;
    m->capped = a->counters.limit_bytes < a->counters.total_bytes + a->inherited_bytes;
    m->birth_count = 1;
    a->mindspeed = m;
    return true;
}

void mindspeed_end(lacuna_agent *a) {
    mindspeed *m = a->mindspeed;
    if (m == NULL) return;
    for (uint64_t i = 0; i < a->live.capacity; i++) {
        if (a->live.entries[i].address != 0) a->live.entries[i].block->live.birth = 0;
    }
    survival_close(&m->forward);
    survival_close(&m->step);
    free(m->births);
    free(m);
    a->mindspeed = NULL;
}

/* The recorder that MindSpeed's model set-up makes itself, and whose first pass is not recorded, has no mark here. */
static void forward(mindspeed *m, bool begin) {
    if (!begin) survival_end(&m->forward);
    else if (m->exact) survival_restart(&m->forward);
    else survival_begin(&m->forward);
}

void mindspeed_phase(mindspeed *m, enum lacuna_phase phase, bool begin) {
    if (phase == LACUNA_PHASE_SETUP) m->exact = begin;
    if (phase == LACUNA_PHASE_FORWARD) forward(m, begin);
    if (phase != LACUNA_PHASE_STEP) return;
    if (begin) survival_begin(&m->step);
    else survival_end(&m->step);
}

bool mindspeed_is_long(mindspeed *m, uint64_t bytes, uint64_t rounded) {
    if (m->exact) return true;
    bool survives_forward = false, survives_step = false; /* each counts its look-ups, whatever the other says */
    if (m->forward.recording) survives_forward = m->forward.last_count == 0 || survival_expects(&m->forward, bytes);
    if (m->step.recording) survives_step = survival_expects(&m->step, rounded);
    return survives_forward || survives_step;
}

/* 0 where there is no memory. */
static uint32_t take_birth(mindspeed *m) {
    if (m->unused != 0) {
        uint32_t number = m->unused;
        m->unused = m->births[number].next;
        return number;
    }
    if (m->birth_count >= m->birth_room) {
        uint32_t room = m->birth_room == 0 ? 1024 : 2 * m->birth_room;
        mindspeed_birth *grown = realloc(m->births, room * sizeof *grown);
        if (grown == NULL) return 0;
        m->births = grown;
        m->birth_room = room;
    }
    return m->birth_count++;
}

void mindspeed_born(mindspeed *m, block *b, uint64_t bytes) {
    survival_birth in_forward = survival_born(&m->forward, bytes);
    survival_birth in_step = survival_born(&m->step, rounded_to_units(bytes));
    if (in_forward.run == 0 && in_step.run == 0) return;
    b->live.birth = take_birth(m);
    if (b->live.birth != 0) m->births[b->live.birth] = (mindspeed_birth){in_forward, in_step, 0};
}

void mindspeed_freed(mindspeed *m, block *b) {
    uint32_t number = b->live.birth;
    if (number == 0) return;
    b->live.birth = 0;
    survival_freed(&m->forward, &m->births[number].forward);
    survival_freed(&m->step, &m->births[number].step);
    m->births[number].next = m->unused;
    m->unused = number;
}

/* ------------------------------------------------------------------ segments */

/* The pool of a lifetime, by the code of ours; the stock ranges hold them all. */
static uint8_t keeper_of(bool long_lived, bool small) {
    if (long_lived) return small ? LACUNA_POOL_LONG_SMALL : LACUNA_POOL_LONG_LARGE;
    return small ? LACUNA_POOL_SHORT_SMALL : LACUNA_POOL_SHORT_LARGE;
}

static bool is_small(const alloc_request *r) {
    return r->rounded <= SMALL_BYTES;
}

/* As the stock policy's, but that what lives long has segments of its own size from 1 MiB on. */
static uint64_t segment_bytes(const alloc_request *r) {
    bool own = r->long_lived && !is_small(r);
    return own ? (r->rounded + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES : stock_segment_bytes(r->rounded);
}

uint64_t mindspeed_tried(const alloc_request *r) {
    return segment_bytes(r);
}

/* Reserved and free, after the device was asked. */
static void note_usable(lacuna_agent *a) {
    if (is_fenced(a)) look_outside(a);
    const lacuna_device_counters *c = &a->counters;
    uint64_t most = c->total_bytes + a->inherited_bytes;
    uint64_t left = c->outside_bytes < most ? most - c->outside_bytes : 0;
    a->mindspeed->usable_bytes = left > c->reserved_bytes ? left : c->reserved_bytes;
}

/* A block of a new segment, if there is any way. A refusal by the cap is no attempt. */
static block *insist(lacuna_agent *a, const alloc_request *r, uint8_t keeper) {
    const lacuna_device_counters *c = &a->counters;
    uint64_t bytes = segment_bytes(r), held = c->reserved_bytes + framework_reserved(&a->framework);
    if (a->mindspeed->capped && (held > c->limit_bytes || bytes > c->limit_bytes - held)) return NULL;
    block *b = stock_take_segment(a, keeper, bytes, r->rounded, r->stream);
    note_usable(a);
    return b;
}

/* The same, unless that seems hopeless from afar. */
static block *open_segment(lacuna_agent *a, const alloc_request *r, uint8_t keeper) {
    uint64_t usable = a->mindspeed->usable_bytes;
    int64_t left = (int64_t)(usable - a->counters.reserved_bytes) - DEVICE_RESERVE;
    return usable != 0 && (int64_t)segment_bytes(r) > left ? NULL : insist(a, r, keeper);
}

/* ------------------------------------------------------------------ levels */

static block *take(lacuna_agent *a, const alloc_request *r, uint8_t keeper) {
    return stock_take_cached(a, keeper, r->rounded, r->stream);
}

/* Whether a pool lets its own best fit go to a request of its own kind. */
static bool may_spare(const lacuna_agent *a, const alloc_request *r, const block *best) {
    if (is_small(r)) return true;
    if (r->long_lived) return best->size == segment_bytes(r) && best->size == best->segment->bytes;
    return best->size < KEPT_WHOLE_FROM || best->size - r->rounded < TOLERATED_REST || a->mindspeed->forward.recording;
}

static block *reuse(lacuna_agent *a, const alloc_request *r) {
    bool small = is_small(r);
    uint8_t own = keeper_of(r->long_lived, small);
    block *best = stock_best_fit(a, own, r->rounded, r->stream);
    if (best != NULL && may_spare(a, r, best)) return stock_take(a, best, r->rounded);
    bool may_borrow = small || (!r->long_lived && !a->mindspeed->forward.recording);
    return may_borrow ? take(a, r, keeper_of(!r->long_lived, small)) : NULL;
}

/* The other lifetime's memory is spent first. Only one border holds: what is short stays out of long memory in a forward pass. */
static block *reuse_under_pressure(lacuna_agent *a, const alloc_request *r) {
    bool small = is_small(r), forbidden = !small && !r->long_lived && a->mindspeed->forward.recording;
    block *b = forbidden ? NULL : take(a, r, keeper_of(!r->long_lived, small));
    return b != NULL ? b : take(a, r, keeper_of(r->long_lived, small));
}

block *mindspeed_serve(lacuna_agent *a, const alloc_request *r) {
    block *b = reuse(a, r);
    if (b == NULL) b = open_segment(a, r, keeper_of(r->long_lived, is_small(r)));
    if (b == NULL) b = reuse_under_pressure(a, r);
    if (b != NULL || !is_small(r)) return b;
    b = take(a, r, keeper_of(r->long_lived, false));
    return b != NULL ? b : take(a, r, keeper_of(!r->long_lived, false));
}

block *mindspeed_insist(lacuna_agent *a, const alloc_request *r) {
    return insist(a, r, keeper_of(r->long_lived, false));
}
