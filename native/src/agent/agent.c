/*
 * agent.c - the C ABI of one agent: each call takes the lock, does one operation, publishes the counters.
 */
#include "agent/agent.h"

#include "agent/serve.h"
#include "guard/guard.h"
#include "pool/accounts.h"
#include "pool/pool.h"
#include "pool/publish.h"
#include "prim/clock.h"
#include "prim/pages.h"
#include "swap/swap.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ lock and publication */

void agent_lock(lacuna_agent *a) {
    state_lock(a);
}

void agent_unlock(lacuna_agent *a) {
    state_unlock(a);
}

void agent_hold(lacuna_agent *a) {
    agent_lock(a);
    if (a->swap != NULL) swap_lock(a->swap);
}

void agent_release(lacuna_agent *a) {
    if (a->swap != NULL) swap_unlock(a->swap);
    agent_unlock(a);
}

/* Ends an operation that changed something. */
static void publish_and_unlock(lacuna_agent *a) {
    publish_counters(a);
    agent_unlock(a);
}

/* Ends a request that was served from `pool`, or a free of a block of it. */
static void publish_served(lacuna_agent *a, uint8_t pool) {
    publish_request(a, pool);
    agent_unlock(a);
}

/* ------------------------------------------------------------------ opening and closing */

int agent_open(const lacuna_options *options, lacuna_agent **out, char *why, size_t bytes) {
    lacuna_agent *a = NULL;
    int status = pool_open(options, &a, why, bytes);
    if (status != LACUNA_OK) return status;
    if (!guard_open(a)) {
        snprintf(why, bytes, "no memory for the agent's tables: %s", strerror(errno));
        agent_close(a);
        errno = ENOMEM;
        return LACUNA_SYSTEM;
    }
    *out = a;
    return LACUNA_OK;
}

void agent_close(lacuna_agent *a) {
    if (a->telemetry != NULL) telemetry_close(a->telemetry, a->counters.ooms == 0);
    swap_close(a->swap);
    guard_close(a);
    if (a->replay.blocks != NULL) pages_give(a->replay.blocks, a->replay.ids * sizeof(block *));
    pool_close(a);
}

const char *lacuna_version(void) {
    return LACUNA_VERSION_TEXT;
}

/* ------------------------------------------------------------------ allocating and freeing */

int lacuna_malloc(lacuna_agent *a, uint64_t size, uint64_t stream, void **out) {
    if (a == NULL || out == NULL) return LACUNA_INVALID;
    *out = NULL;
    if (size == 0) return LACUNA_OK;
    agent_lock(a);
    const block *b = serve_malloc(a, size, stream);
    if (b == NULL) {
        publish_and_unlock(a);
        return LACUNA_OUT_OF_MEMORY;
    }
    *out = (void *)(uintptr_t)address_of(a, b->pool, b->offset);
    publish_served(a, b->pool);
    return LACUNA_OK;
}

int lacuna_free(lacuna_agent *a, void *address) {
    if (a == NULL) return LACUNA_INVALID;
    if (address == NULL) return LACUNA_OK;
    agent_lock(a);
    block *b = table_find(&a->live, (uintptr_t)address);
    if (b == NULL) {
        agent_unlock(a);
        return LACUNA_UNKNOWN_POINTER;
    }
    uint8_t pool = b->pool; /* the block may be gone when it is free */
    serve_free(a, b);
    publish_served(a, pool);
    return LACUNA_OK;
}

int lacuna_record_stream(lacuna_agent *a, void *address, uint64_t stream) {
    if (a == NULL) return LACUNA_INVALID;
    agent_lock(a);
    block *b = table_find(&a->live, (uintptr_t)address);
    if (b != NULL) pending_note(a, b, stream);
    agent_unlock(a);
    return b != NULL ? LACUNA_OK : LACUNA_UNKNOWN_POINTER;
}

int lacuna_stream_done(lacuna_agent *a, uint64_t stream) {
    if (a == NULL) return LACUNA_INVALID;
    agent_lock(a);
    pending_stream_done(a, stream);
    agent_unlock(a);
    return LACUNA_OK;
}

int lacuna_set_framework(lacuna_agent *a, const lacuna_framework *calls) {
    if (a == NULL || calls == NULL) return LACUNA_INVALID;
    agent_lock(a);
    a->framework.calls = *calls;
    __atomic_store_n(&a->framework.present, true, __ATOMIC_RELEASE);
    serve_decide(a);
    publish_counters(a);
    agent_unlock(a);
    return lacuna_catch_up(a);
}

int lacuna_allow_peer(lacuna_agent *a, int peer) {
    if (a == NULL || peer < 0 || a->device->ops->allow_peer == NULL) return LACUNA_INVALID;
    agent_lock(a);
    bool allowed = a->device->ops->allow_peer(a->device, peer);
    agent_unlock(a);
    return allowed ? LACUNA_OK : LACUNA_INVALID;
}

/* ------------------------------------------------------------------ phases and settings */

int lacuna_phase(lacuna_agent *a, int phase, int begin) {
    if (a == NULL || phase < 0 || phase >= LACUNA_PHASE_COUNT || (begin != 0 && begin != 1)) return LACUNA_INVALID;
    lacuna_catch_up(a); /* what came before the mark stands before it */
    agent_lock(a);
    bool marked = serve_phase(a, (enum lacuna_phase)phase, begin != 0);
    publish_and_unlock(a);
    return marked ? LACUNA_OK : LACUNA_INVALID;
}

int lacuna_named_phase(lacuna_agent *a, const char *name, int begin) {
    if (a == NULL || name == NULL || (begin != 0 && begin != 1)) return LACUNA_INVALID;
    lacuna_catch_up(a);
    agent_lock(a);
    operate_named_phase(a, name, begin != 0);
    agent_unlock(a);
    return LACUNA_OK;
}

int lacuna_named_use_of(lacuna_agent *a, uint32_t number, lacuna_named_use *out) {
    if (a == NULL || out == NULL) return LACUNA_INVALID;
    agent_lock(a);
    bool known = operate_named_use(a, number, out);
    agent_unlock(a);
    return known ? LACUNA_OK : LACUNA_INVALID;
}

int lacuna_empty_cache(lacuna_agent *a) {
    if (a == NULL) return LACUNA_INVALID;
    agent_lock(a);
    operate_empty_cache(a);
    publish_and_unlock(a);
    return LACUNA_OK;
}

static uint64_t limit_of(const lacuna_agent *a, double fraction) {
    return (uint64_t)floor(fraction * (double)a->counters.total_bytes);
}

static void describe_change(lacuna_agent *a, const lacuna_device_counters *before, double lowest, lacuna_change *out) {
    if (out == NULL) return;
    out->before = *before;
    publish_copy(a, &out->after);
    const lacuna_device_counters *c = &out->after;
    out->unreached_bytes = c->reserved_bytes > c->limit_bytes ? c->reserved_bytes - c->limit_bytes : 0;
    out->lowest_safe_fraction = lowest;
}

/* -1: as it is. */
static int set_rules(lacuna_agent *a, int on, int policy, lacuna_change *out) {
    lacuna_device_counters before;
    agent_lock(a);
    publish_copy(a, &before);
    bool done = serve_set_rules(a, on < 0 ? before.optimisation != 0 : on != 0, policy < 0 ? before.policy : (uint32_t)policy);
    describe_change(a, &before, guard_lowest_fraction(a), out);
    publish_and_unlock(a);
    agent_tell_framework(a);
    return done ? LACUNA_OK : LACUNA_SYSTEM;
}

int lacuna_set_optimisation(lacuna_agent *a, int on, lacuna_change *out) {
    return a != NULL && (on == 0 || on == 1) ? set_rules(a, on, -1, out) : LACUNA_INVALID;
}

int lacuna_set_policy(lacuna_agent *a, int policy, lacuna_change *out) {
    bool known = policy == LACUNA_POOL_POLICY_SEGREGATED || policy == LACUNA_POOL_POLICY_LIFETIME;
    return a != NULL && known ? set_rules(a, -1, policy, out) : LACUNA_INVALID;
}

/* The steps that a cap is judged by are rehearsed without the lock. */
int lacuna_set_fraction(lacuna_agent *a, double fraction, int force, lacuna_change *out) {
    if (a == NULL || !pool_is_fraction(fraction) || limit_of(a, fraction) == 0) return LACUNA_INVALID;
    situation wanted = guard_situation(a);
    wanted.limit_bytes = guard_limit(a, fraction);
    verdict v = {.safe = true};
    if (!force) v = guard_judge(a, &wanted);
    lacuna_device_counters before;
    agent_lock(a);
    publish_copy(a, &before);
    if (v.safe) operate_set_limit(a, limit_of(a, fraction), fraction);
    describe_change(a, &before, force ? guard_lowest_fraction(a) : v.lowest_fraction, out);
    publish_and_unlock(a);
    agent_tell_framework(a);
    return v.safe ? LACUNA_OK : LACUNA_WOULD_FAIL;
}

int lacuna_reset_peaks(lacuna_agent *a) {
    if (a == NULL) return LACUNA_INVALID;
    agent_lock(a);
    if (a->former_peak_allocated_bytes < a->counters.peak_allocated_bytes) {
        a->former_peak_allocated_bytes = a->counters.peak_allocated_bytes;
    }
    a->former_peak_reserved_bytes = peak_reserved(a);
    a->counters.peak_allocated_bytes = a->counters.allocated_bytes;
    a->counters.peak_reserved_bytes = a->counters.reserved_bytes;
    framework_forget_peaks(&a->framework);
    count_segments(a);
    count_split_fallen(a);
    statistics_reset_peaks(&a->statistics);
    publish_and_unlock(a);
    return LACUNA_OK;
}

/* ------------------------------------------------------------------ queries */

int lacuna_counters(lacuna_agent *a, lacuna_device_counters *out) {
    if (a == NULL || out == NULL) return LACUNA_INVALID;
    agent_lock(a);
    if (a->swap != NULL) {
        swap_look(a->swap);
        swap_tell(a->swap, &a->counters);
    }
    publish_copy(a, out);
    agent_unlock(a);
    return LACUNA_OK;
}

int lacuna_statistics(lacuna_agent *a, lacuna_report *out, size_t bytes) {
    if (a == NULL || out == NULL) return LACUNA_INVALID;
    lacuna_report r;
    agent_lock(a);
    count_segments(a);
    count_split_fallen(a);
    statistics_tell(&a->statistics, &a->counters, r.of);
    r.retries = a->counters.retries;
    r.ooms = a->counters.ooms;
    r.stream_waits = a->fence.waits;
    r.device_allocs = a->statistics.device_allocs;
    r.device_frees = a->statistics.device_frees;
    r.unnoted_uses = a->statistics.unnoted_uses;
    r.releasable_bytes = a->counters.releasable_bytes;
    agent_unlock(a);
    memcpy(out, &r, bytes < sizeof r ? bytes : sizeof r);
    return LACUNA_OK;
}

int lacuna_place(lacuna_agent *a, const void *address, lacuna_placement *out) {
    if (a == NULL || out == NULL) return LACUNA_INVALID;
    agent_lock(a);
    const block *b = table_find(&a->live, (uintptr_t)address);
    if (b != NULL) operate_place(b, out);
    agent_unlock(a);
    return b != NULL ? LACUNA_OK : LACUNA_UNKNOWN_POINTER;
}

int lacuna_share(lacuna_agent *a, const void *address, lacuna_shared *out, int *descriptors, uint64_t room) {
    if (a == NULL || out == NULL || (descriptors == NULL && room > 0) || a->device->ops->share == NULL) return LACUNA_INVALID;
    agent_lock(a);
    const block *b = table_find(&a->live, (uintptr_t)address);
    device_shared told = {0};
    lacuna_placement place;
    int code = LACUNA_UNKNOWN_POINTER;
    if (b != NULL) {
        operate_place(b, &place);
        uint64_t offset = (uint64_t)((const char *)address - (const char *)a->device->base);
        code = a->device->ops->share(a->device, offset, place.block_bytes, &told, descriptors, room);
    }
    agent_unlock(a);
    *out = (lacuna_shared){(uintptr_t)a->device->base + told.offset, told.piece_bytes, told.pieces};
    return code;
}

size_t lacuna_last_oom(lacuna_agent *a, char *text, size_t bytes) {
    if (a == NULL) return 0;
    agent_lock(a);
    size_t length = a->oom.length;
    if (text != NULL && bytes > 0) {
        size_t kept = length < bytes ? length : bytes - 1;
        memcpy(text, a->oom.text, kept);
        text[kept] = 0;
    }
    agent_unlock(a);
    return length;
}

bool agent_owns(const lacuna_agent *a, const void *address) {
    return (uintptr_t)address - a->base < a->span_bytes;
}

uint64_t agent_given_back_ns(lacuna_agent *a) {
    state_lock(a);
    uint64_t sum = a->device->given.sum_ns + a->device->kept.sum_ns;
    state_unlock(a);
    return sum;
}

/* ------------------------------------------------------------------ telemetry, control, fork */

uint32_t agent_number(const lacuna_agent *a) {
    return a->counters.index;
}

uint32_t agent_backend(const lacuna_agent *a) {
    return a->counters.backend;
}

uint32_t agent_index(const lacuna_agent *a) {
    return a->device_index;
}

void agent_set_number(lacuna_agent *a, uint32_t number) {
    a->counters.index = number;
}

void agent_set_telemetry(lacuna_agent *a, telemetry *t) {
    agent_lock(a);
    a->telemetry = t;
    publish_and_unlock(a);
}

bool agent_has_telemetry(lacuna_agent *a) {
    agent_lock(a);
    bool has = a->telemetry != NULL;
    agent_unlock(a);
    return has;
}

void agent_fork_child(lacuna_agent *a) {
    lock_init(&a->lock);
    if (a->device->ops->forked != NULL) {
        a->device->ops->forked(a->device);
        fence_forked(a);
    }
    if (a->swap != NULL) {
        swap_forked(a->swap);
        swap_tell(a->swap, &a->counters);
    }
    if (a->telemetry != NULL) telemetry_forget(a->telemetry);
    a->telemetry = NULL;
    a->framework = (framework){0};
    a->counters.limit_bytes += a->counters.reserved_bytes - a->inherited_bytes;
    a->inherited_bytes = a->counters.reserved_bytes;
    guard_forked(a);
}
