#include "pool/operation.h"

#include "pool/accounts.h"
#include "pool/cache.h"
#include "pool/message.h"
#include "pool/mindspeed.h"
#include "pool/policy.h"
#include "prim/clock.h"

#include <stdio.h>

#define PARKING_STEPS 2                     /* the one that a switch falls into, and the first whole one under the new rules */
#define LARGEST_REQUEST (UINT64_C(1) << 60) /* PyTorch's: above it no device can be meant */

static bool is_open(const lacuna_agent *a, enum lacuna_phase phase) {
    return a->phase_depth[phase] > 0;
}

/* ------------------------------------------------------------------ allocating */

static void tell_failure(lacuna_agent *a, uint64_t stream, uint64_t tried) {
    tell(a, LACUNA_EVENT_OOM, LACUNA_POOL_NONE, stream, 0, tried);
    telemetry_oom(a->telemetry, a->counters.index, a->oom.text);
}

/* Once: the next failure is another matter. */
static void end_with_what_was_tried(lacuna_agent *a) {
    size_t room = sizeof a->oom.text - a->oom.length;
    int more = snprintf(a->oom.text + a->oom.length, room, "%s", a->oom.tried);
    if (more > 0) a->oom.length += (size_t)more < room ? (size_t)more : room - 1;
    a->oom.tried[0] = '\0';
}

void operate_fail(lacuna_agent *a, const alloc_request *r) {
    uint64_t tried = r->hopeless ? r->rounded : policy_tried(a, r);
    a->counters.ooms++;
    look_outside(a);
    operate_settle_counters(a);
    char device[64];
    snprintf(device, sizeof device, "%s %u", a->device->ops->name, a->device_index);
    a->oom.length = message_out_of_memory(&a->counters, device, tried, a->oom.text, sizeof a->oom.text);
    end_with_what_was_tried(a);
    tell_failure(a, r->stream, tried);
}

void operate_failed(lacuna_agent *a, uint64_t tried, const char *text) {
    int length = snprintf(a->oom.text, sizeof a->oom.text, "%s", text);
    a->oom.length = length < 0 ? 0 : (size_t)length < sizeof a->oom.text ? (size_t)length : sizeof a->oom.text - 1;
    end_with_what_was_tried(a);
    tell_failure(a, 0, tried);
}

/* What would be allocated if nothing had been swapped out, and if all had been that can. */
static void count_swappable(lacuna_agent *a) {
    uint64_t now = a->counters.allocated_bytes, movable = __atomic_load_n(&a->movable_bytes, __ATOMIC_RELAXED);
    uint64_t all = now + __atomic_load_n(&a->away_bytes, __ATOMIC_RELAXED), fixed = now > movable ? now - movable : 0;
    if (all > a->step.peak_everything_bytes) a->step.peak_everything_bytes = all;
    if (fixed > a->step.peak_fixed_bytes) a->step.peak_fixed_bytes = fixed;
}

static void count_allocated(lacuna_agent *a, const block *b) {
    lacuna_device_counters *c = &a->counters;
    c->allocations++;
    c->allocated_bytes += b->size;
    c->requested_bytes += b->live.requested;
    c->pools[b->pool].allocated_bytes += b->size;
    if (c->allocated_bytes > c->peak_allocated_bytes) c->peak_allocated_bytes = c->allocated_bytes;
    if (c->allocated_bytes > a->step.peak_allocated_bytes) a->step.peak_allocated_bytes = c->allocated_bytes;
    if (c->allocated_bytes > a->named.peak_allocated_bytes) a->named.peak_allocated_bytes = c->allocated_bytes;
    uint64_t kept = c->allocated_bytes + __atomic_load_n(&a->elsewhere_bytes, __ATOMIC_RELAXED);
    if (kept > a->step.peak_kept_bytes) a->step.peak_kept_bytes = kept;
    if (__builtin_expect(a->swap != NULL, 0)) count_swappable(a);
    statistics_allocated(&a->statistics, b->pool & 1, b->size, b->live.requested, c->allocations - c->frees, c->requested_bytes);
}

/* The block is handed out from now on; returns its address. */
static inline uint64_t come_alive(lacuna_agent *a, block *b, uint64_t requested, uint64_t stream) {
    b->state = BLOCK_LIVE;
    b->live.requested = requested;
    b->live.stream = stream;
    b->live.uses = NULL;
    b->live.birth = 0;
    uint64_t address = address_of(a, b->pool, b->offset);
    table_add(&a->live, address, b);
    count_allocated(a, b);
    count_split_of(a, b->pool & 1);
    return address;
}

void operate_adopt(lacuna_agent *a, block *b, uint64_t requested, uint64_t stream) {
    come_alive(a, b, requested, stream);
}

/* What is known of a request before memory is looked for; false where none can have so much. */
static bool begin(lacuna_agent *a, alloc_request *r) {
    r->begun = true;
    r->hopeless = r->bytes > LARGEST_REQUEST;
    r->rounded = r->hopeless ? r->bytes : rounded_to_units(r->bytes);
    if (r->rounded > a->range_bytes) r->hopeless = true;
    if (r->hopeless) return false;
    if (is_fenced(a)) policy_turn(a, r->stream);
    r->key = lifetime_request(&a->lifetime, r->rounded, is_open(a, LACUNA_PHASE_SETUP));
    if (a->pending.first != NULL) pending_complete(a);
    r->long_lived = a->mindspeed != NULL ? mindspeed_is_long(a->mindspeed, r->bytes, r->rounded)
                                         : lifetime_is_long(&a->lifetime, r->key);
    return true;
}

block *operate_malloc(lacuna_agent *a, alloc_request *r) {
    if (!r->begun && !begin(a, r)) return NULL;
    /* Nodes for the rests of a block that is cut, before anything is changed. */
    if (!arena_reserve(&a->arena, 2) || !table_reserve(&a->live)) return NULL;
    block *b = policy_serve(a, r);
    if (b == NULL) return NULL;
    uint64_t address = come_alive(a, b, r->bytes, r->stream);
    lifetime_born(&a->lifetime, b, r->key);
    if (__builtin_expect(a->mindspeed != NULL, 0)) mindspeed_born(a->mindspeed, b, r->bytes);
    tell(a, LACUNA_EVENT_ALLOC, b->pool, r->stream, address, r->bytes);
    log_alloc(&a->log, r->bytes, r->stream, address);
    return b;
}

void operate_resume(lacuna_agent *a, const alloc_request *r) {
    if (is_fenced(a)) policy_turn(a, r->stream);
    if (a->pending.first != NULL) pending_complete(a);
}

/* ------------------------------------------------------------------ freeing */

void operate_free(lacuna_agent *a, block *b) {
    lacuna_device_counters *c = &a->counters;
    unsigned kind = b->pool & 1;
    uint64_t address = address_of(a, b->pool, b->offset);
    lifetime_freed(&a->lifetime, b);
    if (__builtin_expect(a->mindspeed != NULL, 0)) mindspeed_freed(a->mindspeed, b);
    table_remove(&a->live, address);
    c->frees++;
    c->allocated_bytes -= b->size;
    c->requested_bytes -= b->live.requested;
    statistics_freed(&a->statistics, b->pool & 1, b->size, b->live.requested);
    c->pools[b->pool].allocated_bytes -= b->size;
    tell(a, LACUNA_EVENT_FREE, b->pool, b->live.stream, address, b->live.requested);
    log_request(a, b->live.uses != NULL ? LOGGED_PENDING : LOGGED_FREE, 0, address);
    if (is_fenced(a)) {
        fence_freed(a, b);
        pending_begin(a, b);
    }
    if (b->live.uses != NULL) {
        pending_add(a, b);
    } else {
        cache_put(a, b);
        count_split_of(a, kind);
    }
}

/* ------------------------------------------------------------------ phases */

/* What a switch gives back is at hand for what the new rules take, for so many ends of steps. */
static void park(lacuna_agent *a, uint32_t steps) {
    a->step.parking = steps;
    if (a->device->ops->park == NULL) return;
    a->device->ops->park(a->device, steps > 0);
    count_prices(a);
}

static void step_begins(lacuna_agent *a) {
    lifetime_step_begins(&a->lifetime);
    a->step.began_ns = clock_system_ns();
    a->step.began_remaps = a->counters.remaps;
    a->step.peak_allocated_bytes = a->counters.allocated_bytes;
    a->step.peak_reserved_bytes = a->counters.reserved_bytes;
    a->step.peak_fixed_bytes = 0;
    a->step.mixed = false;
    a->step.peak_kept_bytes = a->counters.allocated_bytes + __atomic_load_n(&a->elsewhere_bytes, __ATOMIC_RELAXED);
}

static void step_ends(lacuna_agent *a) {
    lacuna_device_counters *c = &a->counters;
    lifetime_step_ends(&a->lifetime);
    look_outside(a);
    if (a->step.parking > 0) park(a, a->step.parking - 1);
    c->step++;
    c->last_step_ns = clock_system_ns() - a->step.began_ns;
    c->last_step_remaps = c->remaps - a->step.began_remaps;
    c->last_step_peak_allocated_bytes = a->step.peak_allocated_bytes;
    c->last_step_peak_reserved_bytes = a->step.peak_reserved_bytes;
    __atomic_store_n(&a->step.last_peak_kept_bytes, a->step.peak_kept_bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&a->step.last_peak_fixed_bytes, a->step.mixed ? 0 : a->step.peak_fixed_bytes, __ATOMIC_RELAXED);
    tell(a, LACUNA_EVENT_STEP, LACUNA_POOL_NONE, 0, 0, c->step);
}

bool operate_phase(lacuna_agent *a, enum lacuna_phase phase, bool begin) {
    if (a->mindspeed != NULL) mindspeed_phase(a->mindspeed, phase, begin); /* takes every mark at its word */
    if (phase == LACUNA_PHASE_FORWARD) log_request(a, LOGGED_FORWARD, begin, 0);
    uint32_t *depth = &a->phase_depth[phase];
    if (!begin && *depth == 0) return false;
    bool outermost = *depth == (begin ? 0 : 1);
    *depth += begin ? 1 : -1u;
    if (!outermost) return true;
    a->counters.phases ^= 1u << phase;
    tell(a, LACUNA_EVENT_PHASE, LACUNA_POOL_NONE, 0, 0, 2 * (uint64_t)phase + begin);
    if (phase == LACUNA_PHASE_SETUP) log_request(a, LOGGED_SETUP, begin, 0);
    if (phase == LACUNA_PHASE_STEP) {
        log_request(a, LOGGED_STEP, begin, 0);
        if (begin) {
            step_begins(a);
        } else {
            step_ends(a);
        }
    }
    return true;
}

static held_now held(const lacuna_agent *a) {
    return (held_now){clock_system_ns(), a->counters.allocated_bytes + framework_allocated(&a->framework),
                      a->counters.reserved_bytes + framework_reserved(&a->framework)};
}

void operate_named_phase(lacuna_agent *a, const char *name, bool begin) {
    named_mark(&a->named, name, begin, held(a));
}

bool operate_named_use(const lacuna_agent *a, uint32_t number, lacuna_named_use *out) {
    return named_use(&a->named, number, held(a), out);
}

/* ------------------------------------------------------------------ settings */

/* These are asked for, rarely, and mean all memory that can go: what streams still use is waited for. */
static void begin_blocking(lacuna_agent *a) {
    fence_set_blocking(&a->fence, true);
    pending_complete(a);
}

static void end_blocking(lacuna_agent *a) {
    fence_set_blocking(&a->fence, false);
    look_outside(a);
}

void operate_empty_cache(lacuna_agent *a) {
    log_request(a, LOGGED_EMPTY, 0, 0);
    park(a, 0);
    begin_blocking(a);
    cache_release(a, 0);
    end_blocking(a);
}

static uint64_t to_slots(uint64_t bytes) {
    return (bytes + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES;
}

void operate_make_room(lacuna_agent *a, uint64_t bytes, uint64_t longest) {
    const lacuna_device_counters *c = &a->counters;
    if (serving(a) != SIDE_STOCK || bytes == 0 || bytes > a->range_bytes || longest > a->range_bytes) return;
    uint64_t needed = to_slots(bytes) + to_slots(longest), most = c->reserved_bytes + room(a);
    if (c->allocated_bytes + needed > most) return;
    if (room(a) < needed) cache_release(a, most - needed);
    if (room(a) >= needed && stock_make_room(a, to_slots(bytes))) stock_make_room(a, to_slots(longest));
}

bool operate_set_rules(lacuna_agent *a, bool on, uint32_t policy) {
    if (optimised(a) == on && a->counters.policy == policy) return true;
    bool lifetime = on && policy == LACUNA_POOL_POLICY_LIFETIME;
    enum side after = lifetime ? SIDE_LIFETIME : on ? SIDE_SEGREGATED : SIDE_STOCK;
    bool switches = after != serving(a);
    if (lifetime && a->mindspeed == NULL && !mindspeed_begin(a)) return false;
    if (switches) begin_blocking(a); /* what completes now comes back by the rules that held */
    if (!lifetime) mindspeed_end(a);
    a->counters.optimisation = on;
    a->counters.policy = policy;
    if (!switches) return true;
    park(a, PARKING_STEPS);
    cache_release_other(a);
    end_blocking(a);
    tell(a, LACUNA_EVENT_OPTIMISATION, LACUNA_POOL_NONE, 0, 0, on);
    return true;
}

void operate_set_limit(lacuna_agent *a, uint64_t limit, double fraction) {
    a->counters.limit_bytes = limit + a->inherited_bytes;
    a->counters.fraction = fraction;
    if (a->mindspeed != NULL) a->mindspeed->capped = true;
    park(a, 0);
    begin_blocking(a);
    cache_release(a, a->counters.limit_bytes);
    end_blocking(a);
    tell(a, LACUNA_EVENT_LIMIT, LACUNA_POOL_NONE, 0, 0, a->counters.limit_bytes);
}

/* ------------------------------------------------------------------ queries */

void operate_place(const block *b, lacuna_placement *out) {
    out->pool = b->segment != NULL ? b->segment->shelf->keeper : b->pool;
    out->segment = b->segment != NULL ? b->segment->number : 0;
    out->offset = b->offset - (b->segment != NULL ? b->segment->offset : 0);
    out->block_bytes = b->size;
}

void operate_settle_counters(lacuna_agent *a) {
    lacuna_device_counters *c = &a->counters;
    c->active_bytes = c->allocated_bytes + c->pending_bytes;
    if (c->safe_basis == LACUNA_SAFE_PEAK_RESERVED) c->lowest_safe_limit_bytes = peak_reserved(a);
}
