/*
 * swap_calls.c - the C ABI of swapping: each call finds the agent's engine, does one thing, publishes the counters.
 */
#include "agent/agent.h"
#include "agent/serve.h"
#include "guard/guard.h"
#include "pool/publish.h"
#include "swap/swap.h"

#include <stdlib.h>

swap *agent_swap(lacuna_agent *a) {
    return a != NULL ? __atomic_load_n(&a->swap, __ATOMIC_ACQUIRE) : NULL;
}

/* Rare beside allocations: a call for half a MiB or more. */
static void publish(lacuna_agent *a) {
    agent_lock(a);
    swap_tell(a->swap, &a->counters);
    bool other = a->counters.swap == LACUNA_SWAP_OFF && serve_decide(a); /* the last of what was away may be back */
    publish_counters(a);
    agent_unlock(a);
    if (other) agent_tell_framework(a);
}

swap *agent_make_swap(lacuna_agent *a) {
    if (a == NULL) return NULL;
    agent_lock(a);
    if (a->swap == NULL) __atomic_store_n(&a->swap, swap_open(a->device, &a->away_bytes, &a->movable_bytes), __ATOMIC_RELEASE);
    swap *w = a->swap;
    agent_unlock(a);
    return w;
}

/* ------------------------------------------------------------------ settings */

int lacuna_swap_set(lacuna_agent *a, int mode, uint64_t budget_bytes) {
    if (mode < LACUNA_SWAP_KEEP || mode > LACUNA_SWAP_ALL) return LACUNA_INVALID;
    swap *w = agent_make_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    bool other = mode != LACUNA_SWAP_KEEP && mode != lacuna_swap_mode(a);
    swap_set(w, mode, budget_bytes);
    if (other) {
        agent_lock(a);
        swap_tell(w, &a->counters);
        a->step.mixed = true;
        __atomic_store_n(&a->step.last_peak_fixed_bytes, 0, __ATOMIC_RELAXED);
        guard_swapping_changed(a);
        serve_decide(a);
        agent_unlock(a);
    }
    publish(a);
    if (other) agent_tell_framework(a);
    return LACUNA_OK;
}

int lacuna_swap_mode(lacuna_agent *a) {
    swap *w = agent_swap(a);
    if (w == NULL) return LACUNA_SWAP_OFF;
    swap_lock(w);
    int mode = w->mode;
    swap_unlock(w);
    return mode;
}

int lacuna_swap_numa(lacuna_agent *a) {
    return a != NULL ? numa_bound_node(&a->device->near) : NUMA_NONE;
}

const char *lacuna_swap_near(lacuna_agent *a) {
    return a != NULL ? numa_word(&a->device->near) : "";
}

int lacuna_swap_bind(lacuna_agent *a) {
    if (a == NULL) return LACUNA_INVALID;
    numa_bind(&a->device->near);
    return LACUNA_OK;
}

int lacuna_swap_link(lacuna_agent *a, uint64_t bytes_per_second, uint64_t latency_ns) {
    swap *w = agent_make_swap(a);
    if (w == NULL || w->device->ops->copies->shape == NULL) return LACUNA_INVALID;
    swap_lock(w);
    w->device->ops->copies->shape(w->device, bytes_per_second, latency_ns);
    w->link_bytes_per_second = bytes_per_second;
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_swap_owner(lacuna_agent *a, void (*let_go)(const uint64_t *cookies, uint32_t count)) {
    swap *w = agent_make_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    w->let_go = let_go;
    swap_unlock(w);
    return LACUNA_OK;
}

/* ------------------------------------------------------------------ passes */

int lacuna_swap_allow(lacuna_agent *a, uint64_t pass) {
    swap *w = agent_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    if (pass > w->allowed_pass) w->allowed_pass = pass;
    swap_unlock(w);
    return LACUNA_OK;
}

uint64_t lacuna_swap_room(lacuna_agent *a) {
    if (a == NULL) return 0;
    agent_lock(a);
    const lacuna_device_counters *c = &a->counters;
    uint64_t used = c->allocated_bytes + c->pending_bytes;
    uint64_t most = c->reserved_bytes + room(a);
    agent_unlock(a);
    return most > used ? most - used : 0;
}

uint64_t lacuna_swap_movable(lacuna_agent *a) {
    if (lacuna_swap_mode(a) == LACUNA_SWAP_OFF) return 0;
    return __atomic_load_n(&a->movable_bytes, __ATOMIC_RELAXED);
}

uint64_t lacuna_swap_least(lacuna_agent *a) {
    if (lacuna_swap_mode(a) == LACUNA_SWAP_OFF) return 0;
    return __atomic_load_n(&a->step.last_peak_fixed_bytes, __ATOMIC_RELAXED);
}

/* ------------------------------------------------------------------ entries */

/* Under the lock. NULL where no live block begins with room for so much. */
static block *block_at(lacuna_agent *a, const void *address, uint64_t bytes) {
    block *b = table_find(&a->live, (uintptr_t)address);
    return b != NULL && b->size >= bytes ? b : NULL;
}

int lacuna_swap_enter(lacuna_agent *a, const lacuna_swap_entry *entry, lacuna_swapped **out) {
    swap *w = agent_swap(a);
    if (w == NULL || entry == NULL || out == NULL || entry->bytes == 0 || entry->cookie == 0) return LACUNA_INVALID;
    agent_lock(a);
    int status = swap_enter(w, entry, block_at(a, entry->block, entry->bytes), out);
    agent_unlock(a);
    return status;
}

int lacuna_swap_leave(lacuna_agent *a, lacuna_swapped *s) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_INVALID;
    swap_end(w, s);
    agent_lock(a);
    swap_leave(w, s);
    agent_unlock(a);
    publish(a);
    return LACUNA_OK;
}

int lacuna_swap_out(lacuna_agent *a, lacuna_swapped *s, uint64_t stream) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_INVALID;
    int status = swap_out(w, s, stream);
    publish(a);
    return status;
}

int lacuna_swap_where(lacuna_agent *a, lacuna_swapped *s) {
    swap *w = agent_swap(a);
    return w != NULL && s != NULL ? swap_where(w, s) : LACUNA_ON_DEVICE;
}

int lacuna_swap_changed(lacuna_agent *a, lacuna_swapped *s, void *address) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_ON_DEVICE;
    agent_lock(a);
    const void *at = address != NULL ? address : s->entry.block;
    int place = swap_changed(w, s, at, block_at(a, at, s->entry.bytes));
    agent_unlock(a);
    return place;
}

int lacuna_swap_used(lacuna_agent *a, lacuna_swapped *s) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_INVALID;
    swap_used(w, s);
    return LACUNA_OK;
}

int lacuna_swap_let_go(lacuna_agent *a, lacuna_swapped *s) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_INVALID;
    agent_lock(a);
    int status = swap_let_go(w, s);
    agent_unlock(a);
    return status;
}

int lacuna_swap_in(lacuna_agent *a, lacuna_swapped *s, void *address, uint64_t stream) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_INVALID;
    agent_lock(a);
    int status = swap_in(w, s, address, block_at(a, address, s->entry.bytes));
    agent_unlock(a);
    if (status == LACUNA_OK) swap_begin_in(w, s, stream);
    publish(a);
    return status;
}

int lacuna_swap_wait(lacuna_agent *a, lacuna_swapped *s, uint64_t stream) {
    swap *w = agent_swap(a);
    if (w == NULL || s == NULL) return LACUNA_INVALID;
    int status = swap_wait(w, s, stream);
    publish(a);
    return status;
}

/* ------------------------------------------------------------------ rescue */

uint32_t lacuna_swap_serve(lacuna_agent *a, uint64_t *cookies, uint32_t room_for, uint32_t patience_ms) {
    swap *w = agent_swap(a);
    return w != NULL && cookies != NULL ? swap_serve(w, cookies, room_for, patience_ms) : 0;
}

int lacuna_swap_served(lacuna_agent *a) {
    swap *w = agent_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_served(w);
    return LACUNA_OK;
}
