#include "agent/agents.h"

#include "agent/agent.h"

/*
 * Invariants: an agent is entered once and never taken out (tensors are freed until the very end of the process):
 * agents[n] has number n. `foreign` has a bit per agent that came by fork and whose device does not work here. Who changes
 * them takes turns; what allocating and freeing read is atomic.
 */
static lacuna_agent *agents[LACUNA_MAX_DEVICES];
static uint32_t foreign;

lacuna_agent *agents_entered(uint32_t number) {
    return __atomic_load_n(&agents[number], __ATOMIC_ACQUIRE);
}

static bool is_foreign(uint32_t number) {
    return __atomic_load_n(&foreign, __ATOMIC_RELAXED) >> number & 1;
}

lacuna_agent *agents_at(uint32_t number) {
    return number < LACUNA_MAX_DEVICES && !is_foreign(number) ? agents_entered(number) : NULL;
}

void agents_enter(lacuna_agent *a) {
    __atomic_store_n(&agents[agent_number(a)], a, __ATOMIC_RELEASE);
}

void agents_disown(uint32_t number) {
    foreign |= 1u << number;
}

uint32_t agents_free_number(bool from_above) {
    for (uint32_t i = 0; i < LACUNA_MAX_DEVICES; i++) {
        uint32_t n = from_above ? LACUNA_MAX_DEVICES - 1 - i : i;
        if (agents_entered(n) == NULL) return n;
    }
    return LACUNA_MAX_DEVICES;
}

/* ------------------------------------------------------------------ finding one */

lacuna_agent *lacuna_process_agent(void) {
    lacuna_agent *host = NULL, *first = NULL;
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *a = agents_at(n);
        if (a == NULL) continue;
        if (agent_backend(a) != LACUNA_BACKEND_VIRTUAL) return a;
        if (agent_index(a) == 0) host = a;
        if (first == NULL) first = a;
    }
    return host != NULL ? host : first;
}

lacuna_agent *lacuna_process_owner(const void *address) {
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *a = agents_entered(n);
        if (a != NULL && agent_owns(a, address)) return a;
    }
    return NULL;
}

uint32_t lacuna_process_agents(lacuna_agent **out, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < LACUNA_MAX_DEVICES; n++) {
        lacuna_agent *a = agents_at(n);
        if (a == NULL) continue;
        if (out != NULL && count < room) out[count] = a;
        count++;
    }
    return count;
}
