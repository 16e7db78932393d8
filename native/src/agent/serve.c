#include "agent/serve.h"

#include "guard/guard.h"
#include "pool/message.h"
#include "swap/swap.h"

#include <stdio.h>

/* What the request needs of the policy in force. */
static shortage shortage_of(const lacuna_agent *a, const alloc_request *r) {
    bool small = r->rounded <= SMALL_BYTES;
    shortage s = {.bytes = r->rounded, .stream = r->stream, .pool = small ? LACUNA_POOL_STOCK_SMALL : LACUNA_POOL_STOCK_LARGE};
    if (serving(a) != SIDE_SEGREGATED) return s;
    uint64_t needed = (r->rounded + SLOT_BYTES - 1) / SLOT_BYTES, there = room(a) / SLOT_BYTES;
    for (int i = 0; i < SEGREGATED_RANGES; i++) there += a->segregated.ranges[i]->idle_slots;
    s.pool = small ? LACUNA_POOL_SHORT_SMALL : LACUNA_POOL_SHORT_LARGE;
    s.may_widen = small;
    s.slots = needed > there ? needed - there : 1;
    return s;
}

/* What would fail asks for tensors to be swapped out: whether any went, so that it may be tried again. The lock is free
 * while they go, for their owner frees their blocks. */
static bool evict_on_oom(lacuna_agent *a, const alloc_request *r, eviction_report *report) {
    if (a->swap == NULL) return false;
    const shortage lack = shortage_of(a, r);
    swap_plan_eviction(a->swap, &lack);
    state_unlock(a);
    uint64_t gained = swap_evict_on_oom(a->swap, r->rounded, report);
    state_lock(a);
    operate_resume(a, r);
    swap_tell(a->swap, &a->counters);
    telemetry_outdated(a->telemetry, a->counters.index);
    return gained > 0;
}

/* The framework's own allocator may hold what it does not use. */
static bool reclaim(lacuna_agent *a, const alloc_request *r) {
    const lacuna_framework calls = a->framework.calls;
    if (calls.reclaim == NULL) return false;
    state_unlock(a);
    bool gained = calls.reclaim(calls.context, r->rounded) != 0;
    if (gained) lacuna_catch_up(a);
    state_lock(a);
    operate_resume(a, r);
    return gained;
}

/* The framework's allocator is asked last, counts what it tries for the same request, and says whether all have failed. */
static void leave_to_framework(lacuna_agent *a, const alloc_request *r) {
    if (!r->retried) return;
    a->counters.retries--;
    if (a->fence.waits > 0) a->fence.waits--;
}

static void end_eviction(lacuna_agent *a, bool served) {
    if (served) swap_count_eviction(a->swap);
    swap_tell(a->swap, &a->counters);
}

/* For the message: what swapping tried for the request that fails, and what it would take. */
static void tell_eviction(lacuna_agent *a, const alloc_request *r, const eviction_report *report) {
    a->oom.tried[0] = '\0';
    if (a->swap == NULL || a->counters.swap == LACUNA_SWAP_OFF || r->hopeless) return;
    char gone[MESSAGE_SIZE_BYTES], left[MESSAGE_SIZE_BYTES], least[MESSAGE_SIZE_BYTES];
    message_size(report->bytes, gone);
    message_size(report->left_bytes, left);
    message_size(a->counters.allocated_bytes + a->counters.pending_bytes + r->rounded, least);
    const char *why = report->late      ? "Python was busy for too long for more to go"
                      : report->refused ? "the host has no room for more (swap-budget)"
                                        : "nothing more can go";
    snprintf(a->oom.tried, sizeof a->oom.tried,
             " Swapping let go of %s for it in %u turns; %s. %s of what was saved for backward is in use. It needs %s here at least.", gone,
             report->turns, why, left, least);
}

__attribute__((noinline, cold)) block *serve_evicting(lacuna_agent *a, alloc_request *r) {
    block *b = !r->hopeless && reclaim(a, r) ? operate_malloc(a, r) : NULL;
    eviction_report report = {0};
    while (b == NULL && !r->hopeless && evict_on_oom(a, r, &report)) b = operate_malloc(a, r);
    if (report.turns > 0) end_eviction(a, b != NULL);
    if (b != NULL) return b;
    tell_eviction(a, r, &report);
    if (a->framework.present) leave_to_framework(a, r);
    else operate_fail(a, r);
    return NULL;
}

/* Somebody frees what the swap engine may copy. */
__attribute__((noinline, cold)) void serve_free_lent(lacuna_agent *a, block *b) {
    swap_freed(a->swap, b);
    b->lent = 0;
}

bool serve_phase(lacuna_agent *a, enum lacuna_phase phase, bool begin) {
    uint64_t step = a->counters.step;
    uint32_t open = a->counters.phases;
    bool marked = operate_phase(a, phase, begin);
    if (phase == LACUNA_PHASE_STEP && a->counters.phases != open) framework_step(a, begin);
    if (a->counters.step != step) guard_step_ended(a);
    return marked;
}

bool serve_set_rules(lacuna_agent *a, bool on, uint32_t policy) {
    enum side before = serving(a);
    bool done = operate_set_rules(a, on, policy);
    if (serving(a) != before) guard_settings_changed(a);
    serve_decide(a);
    return done;
}

/* What comes is served by another allocator: nothing waits here for its return, and steps are not the like of those before. */
bool serve_decide(lacuna_agent *a) {
    if (!framework_decide(a)) return false;
    if (a->framework.alone && a->counters.reserved_bytes > 0) operate_empty_cache(a);
    guard_swapping_changed(a);
    return true;
}
