/*
 * compaction.c - the C ABI of compaction: what was asked, and what came of it.
 */
#include "agent/agent.h"
#include "agent/agents.h"
#include "pool/operation.h"
#include "pool/publish.h"
#include "pool/state.h"

static void set_state(lacuna_agent *a, uint32_t state) {
    __atomic_store_n(&a->compaction.state, state, __ATOMIC_RELEASE);
}

static uint32_t state_of(const lacuna_agent *a) {
    return __atomic_load_n(&a->compaction.state, __ATOMIC_ACQUIRE);
}

int lacuna_compaction_ask(lacuna_agent *a, int at_once) {
    if (a == NULL) return LACUNA_INVALID;
    state_lock(a);
    a->compaction = (lacuna_compaction){.state = state_of(a), .at_once = at_once != 0};
    set_state(a, LACUNA_COMPACTION_ASKED);
    state_unlock(a);
    return LACUNA_OK;
}

int lacuna_compaction_read(lacuna_agent *a, lacuna_compaction *out) {
    if (a == NULL || out == NULL) return LACUNA_INVALID;
    state_lock(a);
    *out = a->compaction;
    state_unlock(a);
    return LACUNA_OK;
}

/* Looking is part of it. */
static void count_moves(lacuna_agent *a, const lacuna_compaction *done) {
    uint64_t mib = (done->moved_bytes + (1 << 20) - 1) >> 20, each = done->busy_ns / mib;
    a->counters.move_ns = each < UINT32_MAX ? (uint32_t)each : UINT32_MAX;
    publish_counters(a);
}

int lacuna_compaction_tell(lacuna_agent *a, const lacuna_compaction *done) {
    if (a == NULL || done == NULL) return LACUNA_INVALID;
    state_lock(a);
    uint32_t was = state_of(a);
    /* Asked anew while it was under way: then what is told is of the former. Steps are 0 as one begins. */
    bool is_former = was == LACUNA_COMPACTION_ASKED && done->steps > 0;
    if (!is_former) {
        a->compaction = *done;
        if (done->moved_bytes > 0) count_moves(a, done);
        a->compaction.state = was;
        set_state(a, done->state);
    }
    state_unlock(a);
    return LACUNA_OK;
}

int lacuna_compaction_prepare(lacuna_agent *a, uint64_t bytes, uint64_t longest) {
    if (a == NULL) return LACUNA_INVALID;
    agent_lock(a);
    if (lacuna_serves(a)) operate_make_room(a, bytes, longest);
    publish_counters(a);
    agent_unlock(a);
    return LACUNA_OK;
}

int lacuna_is_left_over(lacuna_agent *a, const void *address) {
    if (a == NULL) return LACUNA_INVALID;
    state_lock(a);
    const block *b = table_find(&a->live, (uintptr_t)address);
    int found = b == NULL ? LACUNA_UNKNOWN_POINTER : side_of(b) != serving(a) || !lacuna_serves(a);
    state_unlock(a);
    return found;
}

uint32_t lacuna_process_compacting(void) {
    uint32_t all = 0;
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        const lacuna_agent *a = agents_at(n);
        uint32_t state = a != NULL ? state_of(a) : LACUNA_COMPACTION_NONE;
        if (state == LACUNA_COMPACTION_ASKED || state == LACUNA_COMPACTION_RUNNING) all |= 1u << n;
    }
    return all;
}
