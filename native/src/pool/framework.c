#include "pool/framework.h"

#include "pool/state.h"

#include <string.h>

#define SMALL_SEGMENT (UINT64_C(2) << 20) /* PyTorch's kSmallBuffer: what its small pools map at a time */

static void raise(uint64_t *peak, uint64_t now) {
    if (now > *peak) *peak = now;
}

bool framework_decide(lacuna_agent *a) {
    framework *f = &a->framework;
    bool swaps = a->counters.swap != LACUNA_SWAP_OFF || a->counters.host_used_bytes > 0; /* what is away comes back to a block of ours */
    bool alone = f->present && !optimised(a) && !swaps, other = alone != f->alone;
    __atomic_store_n(&f->alone, alone, __ATOMIC_RELAXED);
    return other;
}

/* ------------------------------------------------------------------ what it holds */

static uint64_t within(uint64_t part, uint64_t *rest) {
    uint64_t taken = part < *rest ? part : *rest;
    *rest -= taken;
    return taken;
}

static framework_gap gap_of(const framework *f) {
    uint64_t allocated = framework_allocated(f), reserved = framework_reserved(f);
    framework_gap g = {.reserved = reserved > allocated ? reserved : allocated};
    g.requested = f->use.requested_bytes < allocated ? f->use.requested_bytes : allocated;
    uint64_t rest = g.reserved - allocated;
    g.pending = within(f->use.pending_bytes, &rest);
    g.split = within(f->use.split_bytes, &rest);
    g.releasable = rest;
    return g;
}

void framework_note_allocated(lacuna_agent *a) {
    framework *f = &a->framework;
    uint64_t allocated = a->counters.allocated_bytes + framework_allocated(f);
    raise(&f->peak_allocated_bytes, allocated);
    raise(&f->step_peak_allocated_bytes, allocated);
    raise(&a->named.peak_allocated_bytes, allocated);
}

void framework_note_peaks(lacuna_agent *a) {
    framework *f = &a->framework;
    uint64_t reserved = a->counters.reserved_bytes + framework_reserved(f);
    framework_note_allocated(a);
    raise(&f->peak_reserved_bytes, reserved);
    raise(&f->step_peak_reserved_bytes, reserved);
    raise(&a->named.peak_reserved_bytes, reserved);
    raise(&f->ever_reserved_bytes, f->peak_reserved_bytes);
}

void framework_forget_peaks(framework *f) {
    f->peak_allocated_bytes = f->peak_reserved_bytes = 0;
}

void framework_measured(lacuna_agent *a, const lacuna_framework_use *use) {
    framework *f = &a->framework;
    f->use = *use;
    f->gap = gap_of(f);
    raise(&f->most_reserved_bytes, framework_reserved(f));
    raise(&f->most_reserved_bytes, use->peak_reserved_bytes);
    raise(&f->peak_allocated_bytes, use->peak_allocated_bytes);
    raise(&f->peak_reserved_bytes, use->peak_reserved_bytes);
    framework_note_peaks(a);
}

void framework_step(lacuna_agent *a, bool begins) {
    framework *f = &a->framework;
    if (begins) {
        f->step_peak_allocated_bytes = f->step_peak_reserved_bytes = 0;
        framework_note_peaks(a);
        return;
    }
    f->last_step_peak_allocated_bytes = f->step_peak_allocated_bytes;
    f->last_step_peak_reserved_bytes = f->step_peak_reserved_bytes;
}

/* ------------------------------------------------------------------ what it tells */

static unsigned kind_of_block(uint64_t bytes) {
    return rounded_to_units(bytes) > SMALL_BYTES;
}

static unsigned kind_of_segment(uint64_t bytes) {
    return bytes != SMALL_SEGMENT;
}

static void lower(uint64_t *sum, uint64_t by) {
    *sum -= by < *sum ? by : *sum; /* measured meanwhile */
}

static void change(uint64_t sums[2], const lacuna_told *t, unsigned kind, uint64_t bytes, bool more) {
    if (t->held) return;
    if (more) sums[kind] += bytes;
    else lower(&sums[kind], bytes);
}

void framework_told(lacuna_agent *a, const lacuna_told *t) {
    lacuna_framework_use *u = &a->framework.use;
    unsigned block = kind_of_block(t->bytes), segment = kind_of_segment(t->bytes);
    uint64_t rounded = rounded_to_units(t->bytes);
    switch (t->kind) {
        case LACUNA_TOLD_GROW:
        case LACUNA_TOLD_RELEASE: {
            bool grows = t->kind == LACUNA_TOLD_GROW;
            change(u->reserved_bytes, t, segment, t->bytes, grows);
            tell(a, !grows ? LACUNA_EVENT_RELEASE : t->held ? LACUNA_EVENT_MAPPED : LACUNA_EVENT_GROW, (uint8_t)(LACUNA_POOL_STOCK_SMALL + segment), 0, t->address, t->bytes);
            break;
        }
        case LACUNA_TOLD_ALLOC:
        case LACUNA_TOLD_FREE: {
            bool comes = t->kind == LACUNA_TOLD_ALLOC;
            change(u->allocated_bytes, t, block, rounded, comes);
            tell(a, !comes ? LACUNA_EVENT_FREE : t->held ? LACUNA_EVENT_HELD : LACUNA_EVENT_ALLOC, (uint8_t)(LACUNA_POOL_STOCK_SMALL + block), t->stream, t->address, t->bytes);
            break;
        }
        default: break; /* of a later front: what is measured holds all the same */
    }
    a->framework.gap = gap_of(&a->framework);
    framework_note_peaks(a);
}

/* ------------------------------------------------------------------ both together */

static void add_pools(lacuna_device_counters *c, const lacuna_framework_use *u) {
    for (unsigned kind = 0; kind < 2; kind++) {
        c->pools[LACUNA_POOL_STOCK_SMALL + kind].allocated_bytes += u->allocated_bytes[kind];
        c->pools[LACUNA_POOL_STOCK_SMALL + kind].reserved_bytes += u->reserved_bytes[kind];
    }
}

void framework_add(const lacuna_agent *a, lacuna_device_counters *c) {
    const framework *f = &a->framework;
    const lacuna_framework_use *u = &f->use;
    const framework_gap gap = f->gap;
    add_pools(c, u);
    c->pools[LACUNA_POOL_STOCK_LARGE].reserved_bytes += gap.reserved - framework_reserved(f);
    c->allocated_bytes += framework_allocated(f);
    c->reserved_bytes += gap.reserved;
    c->requested_bytes += gap.requested;
    c->pending_bytes += gap.pending;
    c->split_bytes += gap.split;
    c->releasable_bytes += gap.releasable;
    c->cache_bytes[SIDE_STOCK] += gap.releasable;
    c->active_bytes += framework_allocated(f) + gap.pending;
    lower(&c->outside_bytes, gap.reserved);
    c->segments += u->segments;
    c->allocations += u->allocations;
    c->frees += u->frees;
    c->retries += u->retries;
    c->ooms += u->ooms;
    c->peak_allocated_bytes = f->peak_allocated_bytes;
    c->peak_reserved_bytes = f->peak_reserved_bytes;
    c->last_step_peak_allocated_bytes = f->last_step_peak_allocated_bytes;
    c->last_step_peak_reserved_bytes = f->last_step_peak_reserved_bytes;
    if (c->safe_basis == LACUNA_SAFE_PEAK_RESERVED) raise(&c->lowest_safe_limit_bytes, f->ever_reserved_bytes);
}
