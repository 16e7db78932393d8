/*
 * layer_calls.c - the C ABI of layers: what is where, profiles, policies.
 */
#include "agent/agent.h"
#include "pool/operation.h"
#include "swap/swap.h"

#include <string.h>

/* A layer under the engine's lock; NULL, without the lock, where there is none. */
static layer *locked_layer(swap *w, uint32_t number) {
    if (w == NULL) return NULL;
    swap_lock(w);
    if (number < w->layers.count) return &w->layers.all[number];
    swap_unlock(w);
    return NULL;
}

int lacuna_swap_layer(lacuna_agent *a, const char *name, uint32_t *out) {
    swap *w = agent_make_swap(a);
    if (w == NULL || name == NULL || out == NULL) return LACUNA_INVALID;
    swap_lock(w);
    *out = layers_find(&w->layers, name);
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_swap_usage(lacuna_agent *a, uint32_t number, lacuna_layer_usage *out) {
    swap *w = agent_swap(a);
    const layer *l = out != NULL ? locked_layer(w, number) : NULL;
    if (l == NULL) return LACUNA_INVALID;
    *out = l->usage;
    swap_unlock(w);
    return LACUNA_OK;
}

uint64_t lacuna_layers_asked(lacuna_agent *a) {
    swap *w = agent_swap(a);
    if (w == NULL) return LACUNA_SWAP_OFF;
    swap_lock(w);
    uint64_t asked = (uint64_t)w->mode | (w->layers.wanted ? LACUNA_ASKED_PROFILE : 0) |
                     (w->layers.policy ? LACUNA_ASKED_POLICY : 0) |
                     (w->layers.rule > 0 ? LACUNA_ASKED_RULE : 0) | w->layers.changes << LACUNA_ASKED_CHANGES_SHIFT;
    swap_unlock(w);
    return asked;
}

/* ------------------------------------------------------------------ profiles */

int lacuna_profile_ask(lacuna_agent *a, int fresh) {
    swap *w = agent_make_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    if (fresh || !w->layers.profiled) w->layers.wanted = true;
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_profile_layer(lacuna_agent *a, uint32_t number, const lacuna_layer_measurement *measured) {
    swap *w = agent_swap(a);
    layer *l = measured != NULL ? locked_layer(w, number) : NULL;
    if (l == NULL) return LACUNA_INVALID;
    l->measured = *measured;
    swap_unlock(w);
    return LACUNA_OK;
}

void lacuna_profile_elsewhere(lacuna_agent *a, uint64_t bytes) {
    if (a != NULL) __atomic_store_n(&a->elsewhere_bytes, bytes, __ATOMIC_RELAXED);
}

uint64_t lacuna_profile_kept_peak(const lacuna_agent *a) {
    return a == NULL ? 0 : __atomic_load_n(&a->step.last_peak_kept_bytes, __ATOMIC_RELAXED);
}

int lacuna_profile_done(lacuna_agent *a, const lacuna_profile *profile) {
    swap *w = agent_swap(a);
    if (w == NULL || profile == NULL) return LACUNA_INVALID;
    swap_lock(w);
    w->layers.profile = *profile;
    w->layers.profiled = true;
    w->layers.wanted = false;
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_profile_read(lacuna_agent *a, lacuna_profile *out, int *measuring) {
    swap *w = agent_swap(a);
    if (w == NULL || out == NULL || measuring == NULL) return LACUNA_INVALID;
    swap_lock(w);
    *out = w->layers.profile;
    *measuring = w->layers.wanted;
    uint64_t seen = layers_link(&w->layers);
    if (seen > 0 || w->link_bytes_per_second > 0) {
        out->link_bytes_per_second = seen > 0 ? seen : w->link_bytes_per_second;
    }
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_profile_of(lacuna_agent *a, uint32_t number, lacuna_layer_measurement *out) {
    swap *w = agent_swap(a);
    const layer *l = out != NULL ? locked_layer(w, number) : NULL;
    if (l == NULL) return LACUNA_INVALID;
    *out = layers_measured(l);
    swap_unlock(w);
    return LACUNA_OK;
}

/* ------------------------------------------------------------------ policies */

int lacuna_policy_tell(lacuna_agent *a, uint32_t first, const char *letters, lacuna_policy_change *out) {
    swap *w = agent_make_swap(a);
    memset(out, 0, sizeof *out);
    if (w == NULL) return LACUNA_POLICY_NO_DEVICE;
    swap_lock(w);
    int status = layers_tell(&w->layers, first, letters, w->mode != LACUNA_SWAP_OFF, out);
    swap_unlock(w);
    return status;
}

uint32_t lacuna_policy_read(lacuna_agent *a, char letters[LACUNA_SWAP_LAYERS + 1]) {
    swap *w = agent_swap(a);
    letters[0] = '\0';
    if (w == NULL) return 0;
    swap_lock(w);
    layers_letters(&w->layers, letters);
    swap_unlock(w);
    return (uint32_t)strlen(letters);
}

int lacuna_rules_known(lacuna_agent *a, const char *names) {
    swap *w = agent_make_swap(a);
    if (w == NULL || names == NULL) return LACUNA_INVALID;
    swap_lock(w);
    layers_rules_known(&w->layers, names);
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_rules_read(lacuna_agent *a, char names[LACUNA_RULES * LACUNA_RULE_BYTES], char rule[LACUNA_RULE_BYTES]) {
    names[0] = rule[0] = '\0';
    swap *w = agent_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    for (uint32_t i = 0; i < w->layers.rule_count; i++) {
        if (i > 0) strcat(names, ",");
        strcat(names, w->layers.rules[i]);
    }
    strcpy(rule, layers_rule(&w->layers));
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_rules_dropped(lacuna_agent *a, uint64_t bytes) {
    swap *w = agent_swap(a);
    if (w == NULL) return LACUNA_INVALID;
    swap_lock(w);
    w->layers.dropped_bytes += bytes;
    swap_unlock(w);
    return LACUNA_OK;
}

uint64_t lacuna_rules_dropped_bytes(lacuna_agent *a) {
    swap *w = agent_swap(a);
    if (w == NULL) return 0;
    swap_lock(w);
    uint64_t bytes = w->layers.dropped_bytes;
    swap_unlock(w);
    return bytes;
}

int lacuna_layer_can(lacuna_agent *a, uint32_t number, uint32_t actions, uint32_t reason) {
    swap *w = agent_swap(a);
    layer *l = reason < LACUNA_REASONS ? locked_layer(w, number) : NULL;
    if (l == NULL) return LACUNA_INVALID;
    l->can = (uint8_t)((actions | LACUNA_LAYER_KEEP) & (LACUNA_LAYER_KEEP | LACUNA_LAYER_SWAP | LACUNA_LAYER_RECOMPUTE));
    l->reason = reason;
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_layer_does(lacuna_agent *a, uint32_t number, uint32_t action) {
    swap *w = agent_swap(a);
    bool known = action == LACUNA_LAYER_KEEP || action == LACUNA_LAYER_SWAP || action == LACUNA_LAYER_RECOMPUTE;
    layer *l = known ? locked_layer(w, number) : NULL;
    if (l == NULL) return LACUNA_INVALID;
    l->does = (uint8_t)action;
    swap_unlock(w);
    return LACUNA_OK;
}

int lacuna_layer_state_of(lacuna_agent *a, uint32_t number, lacuna_layer_state *out) {
    swap *w = agent_swap(a);
    const layer *l = out != NULL ? locked_layer(w, number) : NULL;
    if (l == NULL) return LACUNA_INVALID;
    *out = (lacuna_layer_state){.asked = layers_letter(l->asked), .does = layers_letter(l->does), .reason = l->reason};
    swap_unlock(w);
    return LACUNA_OK;
}
