#include "agent/serve.h"

#include "guard/guard.h"
#include "swap/swap.h"

/* What would fail asks for tensors to be swapped out: whether any went, so that it may be tried again. The lock is free
 * while they go, for their owner frees their blocks. */
static bool evict_on_oom(lacuna_agent *a, const alloc_request *r) {
    if (a->swap == NULL) return false;
    state_unlock(a);
    uint64_t gained = swap_evict_on_oom(a->swap, r->rounded);
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

__attribute__((noinline, cold)) block *serve_evicting(lacuna_agent *a, alloc_request *r) {
    block *b = !r->hopeless && reclaim(a, r) ? operate_malloc(a, r) : NULL;
    bool evicted = false;
    while (b == NULL && !r->hopeless && evict_on_oom(a, r)) {
        evicted = true;
        b = operate_malloc(a, r);
    }
    if (evicted) end_eviction(a, b != NULL);
    if (b != NULL) return b;
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

void serve_set_optimisation(lacuna_agent *a, bool on) {
    bool other = optimised(a) != on;
    operate_set_optimisation(a, on);
    if (other) guard_settings_changed(a);
    serve_decide(a);
}

/* What comes is served by another allocator: nothing waits here for its return, and steps are not the like of those before. */
void serve_decide(lacuna_agent *a) {
    if (!framework_decide(a)) return;
    if (a->framework.alone && a->counters.reserved_bytes > 0) operate_empty_cache(a);
    guard_swapping_changed(a);
}
