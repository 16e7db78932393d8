/*
 * leaving.c - the C ABI of leaving a training that was taken over: it is asked, the agents serve nothing new, and what they still
 * hold comes back; then whoever took it over (takeover.py) takes out what stands in the process.
 */
#include "agent/agent.h"
#include "agent/agents.h"
#include "guard/guard.h"
#include "pool/operation.h"
#include "pool/state.h"

#include <math.h>

static bool can_leave;
static bool leaving;

void lacuna_process_may_leave(int may) {
    __atomic_store_n(&leaving, false, __ATOMIC_RELEASE);
    __atomic_store_n(&can_leave, may != 0, __ATOMIC_RELEASE);
}

int lacuna_process_can_leave(void) {
    return __atomic_load_n(&can_leave, __ATOMIC_ACQUIRE);
}

/* What serves beside it does from now on: nothing is asked of the agent but to take back what it gave. */
static void serve_no_more(lacuna_agent *a) {
    lacuna_set_optimisation(a, 0, NULL);
    if (agent_swap(a) != NULL) lacuna_swap_set(a, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET);
    lacuna_compaction_ask(a, 1);
}

int lacuna_process_leave(void) {
    if (!lacuna_process_can_leave()) return LACUNA_INVALID;
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        if (agents_at(n) != NULL) serve_no_more(agents_at(n));
    }
    __atomic_store_n(&leaving, true, __ATOMIC_RELEASE);
    return LACUNA_OK;
}

void agent_forget(lacuna_agent *a) {
    agent_lock(a);
    uint64_t limit = (uint64_t)floor(a->first_fraction * (double)a->counters.total_bytes);
    operate_set_limit(a, limit, a->first_fraction);
    guard_forked(a); /* another training's steps, as those of a parent */
    a->named = (named_phases){0};
    a->counters.step = 0;
    a->former_peak_allocated_bytes = a->former_peak_reserved_bytes = 0;
    a->counters.peak_allocated_bytes = a->counters.peak_reserved_bytes = 0;
    framework_forget_peaks(&a->framework);
    a->framework.most_reserved_bytes = a->framework.ever_reserved_bytes = 0;
    agent_unlock(a);
}

static uint64_t held_by(lacuna_agent *a) {
    state_lock(a);
    uint64_t held = a->counters.allocated_bytes + a->counters.pending_bytes + a->counters.host_used_bytes;
    state_unlock(a);
    return held;
}

int lacuna_process_leaving(uint64_t *held_bytes) {
    uint64_t held = 0;
    bool asked = __atomic_load_n(&leaving, __ATOMIC_ACQUIRE);
    for (uint32_t n = 0; asked && n < LACUNA_MAX_DEVICES; n++) {
        if (agents_at(n) != NULL) held += held_by(agents_at(n));
    }
    if (held_bytes != NULL) *held_bytes = held;
    return !asked ? LACUNA_STAYING : held > 0 ? LACUNA_HELD_BACK : LACUNA_FREE_TO_GO;
}
