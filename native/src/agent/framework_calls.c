/*
 * framework_calls.c - the C ABI of an agent beside which the framework's own allocator serves.
 */
#include "agent/agent.h"
#include "pool/operation.h"
#include "pool/publish.h"

int lacuna_serves(const lacuna_agent *a) {
    return a != NULL && !__atomic_load_n(&a->framework.alone, __ATOMIC_RELAXED);
}

/* What it would be called for; nothing in a copy, and in a forked child. */
static const lacuna_framework *calls_of(const lacuna_agent *a) {
    if (a == NULL || !__atomic_load_n(&a->framework.present, __ATOMIC_ACQUIRE)) return NULL;
    return &a->framework.calls;
}

int lacuna_measured(lacuna_agent *a, const lacuna_framework_use *use) {
    if (calls_of(a) == NULL || use == NULL) return LACUNA_INVALID;
    state_lock(a);
    framework_measured(a, use);
    publish_counters(a);
    state_unlock(a);
    return LACUNA_OK;
}

int lacuna_tell(lacuna_agent *a, const lacuna_told *told, size_t count) {
    if (calls_of(a) == NULL || (told == NULL && count > 0)) return LACUNA_INVALID;
    state_lock(a);
    for (size_t n = 0; n < count; n++) framework_told(a, &told[n]);
    state_unlock(a);
    return LACUNA_OK;
}

int lacuna_failed(lacuna_agent *a, uint64_t bytes, const char *text) {
    if (calls_of(a) == NULL || text == NULL) return LACUNA_INVALID;
    lacuna_catch_up(a);
    state_lock(a);
    operate_failed(a, bytes, text);
    publish_counters(a);
    state_unlock(a);
    return LACUNA_OK;
}

int lacuna_follow(lacuna_agent *a) {
    const lacuna_framework *calls = calls_of(a);
    if (calls == NULL || calls->follow == NULL || !calls->follow(calls->context)) return LACUNA_INVALID;
    return lacuna_catch_up(a);
}

int lacuna_catch_up(lacuna_agent *a) {
    const lacuna_framework *calls = calls_of(a);
    if (calls == NULL) return LACUNA_INVALID;
    if (calls->catch_up != NULL) calls->catch_up(calls->context);
    if (calls->measure == NULL) return LACUNA_OK;
    lacuna_framework_use use = {0};
    return calls->measure(calls->context, &use) != 0 ? lacuna_measured(a, &use) : LACUNA_OK;
}

void agent_tell_framework(lacuna_agent *a) {
    const lacuna_framework *calls = calls_of(a);
    if (calls != NULL && calls->changed != NULL) calls->changed(calls->context);
}
