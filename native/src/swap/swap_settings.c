/*
 * swap_settings.c - what an engine is told, and what it tells.
 */
#include "swap/swap.h"

void swap_set(swap *w, int mode, uint64_t budget_bytes) {
    swap_lock(w);
    if (mode != LACUNA_SWAP_KEEP) w->mode = mode;
    if (budget_bytes != LACUNA_SWAP_KEEP_BUDGET) host_pool_set_budget(&w->pool, budget_bytes);
    if (w->mode == LACUNA_SWAP_OFF) host_pool_empty(&w->pool);
    swap_unlock(w);
}

uint64_t swap_step_peak(swap *w) {
    swap_lock(w);
    uint64_t peak = w->pool.peak_bytes;
    w->pool.peak_bytes = w->pool.used_bytes;
    swap_unlock(w);
    return peak;
}

void swap_look(swap *w) {
    swap_lock(w);
    for (swapped *s = w->first; s != NULL; s = s->next) swap_settle(w, s);
    swap_unlock(w);
}

void swap_tell(swap *w, lacuna_device_counters *c) {
    swap_lock(w);
    c->swap = (uint32_t)w->mode;
    c->host_budget_bytes = w->pool.budget_bytes;
    c->host_used_bytes = w->pool.used_bytes;
    c->swapping_out_bytes = w->told.swapping_out_bytes;
    c->swapping_in_bytes = w->told.swapping_in_bytes;
    c->swapped_out_bytes = w->told.swapped_out_bytes;
    c->swapped_in_bytes = w->told.swapped_in_bytes;
    c->copy_ns = w->told.copy_ns;
    c->stall_ns = w->told.stall_ns;
    c->rescues = w->told.rescues;
    c->rescued_bytes = w->told.rescued_bytes;
    c->copy_failures = w->told.copy_failures;
    c->host_refusals = w->told.host_refusals;
    swap_unlock(w);
}
