#include "swap/layers.h"

#include <stdlib.h>
#include <string.h>

bool layers_open(layer_table *t) {
    t->all = calloc(LACUNA_SWAP_LAYERS, sizeof *t->all);
    return t->all != NULL;
}

void layers_close(layer_table *t) {
    free(t->all);
    t->all = NULL;
}

static void take_back(layer_table *t) {
    for (uint32_t i = 0; i < t->count; i++) t->all[i].asked = t->all[i].does = LACUNA_LAYER_KEEP;
    t->policy = false;
    t->rule = 0;
    t->changes++;
}

void layers_forked(layer_table *t) {
    take_back(t);
    t->wanted = false;
}

uint32_t layers_find(layer_table *t, const char *name) {
    uint32_t n = 0;
    while (n < t->count && strncmp(t->all[n].usage.name, name, LACUNA_LAYER_NAME_BYTES - 1) != 0) n++;
    if (n == LACUNA_SWAP_LAYERS) return n - 1;
    if (n < t->count) return n;
    layer *l = &t->all[n];
    strncpy(l->usage.name, name, LACUNA_LAYER_NAME_BYTES - 1);
    l->asked = l->does = LACUNA_LAYER_KEEP;
    l->can = LACUNA_LAYER_KEEP | LACUNA_LAYER_SWAP;
    l->reason = LACUNA_REASON_BETWEEN; /* until the owner says that it is more */
    t->count++;
    return n;
}

void layers_copied(layer_table *t, uint32_t number, bool out, uint64_t bytes, uint64_t ns) {
    t->all[number].copied_bytes[out] += bytes;
    t->all[number].copied_ns[out] += ns;
}

/* ------------------------------------------------------------------ policies */

char layers_letter(uint32_t action) {
    return action == LACUNA_LAYER_SWAP ? 'S' : action == LACUNA_LAYER_RECOMPUTE ? 'R' : 'K';
}

static uint8_t action_of(char letter) {
    switch (letter) {
        case 'K': return LACUNA_LAYER_KEEP;
        case 'S': return LACUNA_LAYER_SWAP;
        case 'R': return LACUNA_LAYER_RECOMPUTE;
        default: return 0;
    }
}

void layers_letters(const layer_table *t, char letters[LACUNA_SWAP_LAYERS + 1]) {
    uint32_t count = t->policy ? t->count : 0;
    for (uint32_t i = 0; i < count; i++) letters[i] = layers_letter(t->all[i].asked);
    letters[count] = '\0';
}

void layers_rules_known(layer_table *t, const char *names) {
    t->rule_count = 0;
    while (*names != '\0' && t->rule_count < LACUNA_RULES) {
        size_t length = strcspn(names, ",");
        if (length > 0 && length < LACUNA_RULE_BYTES) {
            char *name = t->rules[t->rule_count++];
            memcpy(name, names, length);
            name[length] = '\0';
        }
        names += length + (names[length] == ',');
    }
    if (t->rule > t->rule_count) t->rule = 0;
}

const char *layers_rule(const layer_table *t) {
    return t->rule > 0 ? t->rules[t->rule - 1] : "";
}

static int tell_rule(layer_table *t, const char *name, bool may_swap) {
    uint32_t n = 0;
    while (n < t->rule_count && strcmp(t->rules[n], name) != 0) n++;
    if (n == t->rule_count) return LACUNA_POLICY_LETTERS;
    if (!may_swap) return LACUNA_POLICY_SWAP_OFF;
    take_back(t);
    t->rule = n + 1;
    return LACUNA_POLICY_TOLD;
}

static bool is_rule(const char *letters) {
    return letters[0] >= 'a' && letters[0] <= 'z';
}

static int refusal_of(const layer_table *t, uint32_t first, const char *letters, bool may_swap, lacuna_policy_change *out) {
    size_t count = strlen(letters);
    if (count == 0 || strspn(letters, "KSR") != count) return LACUNA_POLICY_LETTERS;
    if (t->count == 0) return LACUNA_POLICY_NO_LAYERS;
    if (first > t->count || count > t->count - first) return LACUNA_POLICY_TOO_MANY;
    for (size_t i = 0; i < count; i++) {
        const layer *l = &t->all[first + i];
        out->layer = first + (uint32_t)i;
        out->reason = l->reason;
        if (!(l->can & action_of(letters[i]))) return LACUNA_POLICY_CANNOT;
        if (letters[i] == 'S' && !may_swap) return LACUNA_POLICY_SWAP_OFF;
    }
    return LACUNA_POLICY_TOLD;
}

int layers_tell(layer_table *t, uint32_t first, const char *letters, bool may_swap, lacuna_policy_change *out) {
    out->layers = t->count;
    layers_letters(t, out->before);
    if (t->rule > 0) memcpy(out->before, layers_rule(t), LACUNA_RULE_BYTES);
    if (letters == NULL) {
        take_back(t);
        return LACUNA_POLICY_TOLD;
    }
    if (is_rule(letters)) return tell_rule(t, letters, may_swap);
    int refused = refusal_of(t, first, letters, may_swap, out);
    if (refused) return refused;
    for (size_t i = 0; letters[i] != '\0'; i++) t->all[first + i].asked = action_of(letters[i]);
    t->policy = true;
    t->rule = 0;
    t->changes++;
    return LACUNA_POLICY_TOLD;
}

/* ------------------------------------------------------------------ profiles */

static uint64_t at_rate(uint64_t bytes, uint64_t copied_bytes, uint64_t copied_ns) {
    return copied_bytes > 0 ? (uint64_t)((double)bytes * (double)copied_ns / (double)copied_bytes) : 0;
}

lacuna_layer_measurement layers_measured(const layer *l) {
    lacuna_layer_measurement m = l->measured;
    m.copy_in_ns = at_rate(m.saved_bytes, l->copied_bytes[0], l->copied_ns[0]);
    m.copy_out_ns = at_rate(m.saved_bytes, l->copied_bytes[1], l->copied_ns[1]);
    m.can = l->can;
    return m;
}

uint64_t layers_link(const layer_table *t) {
    double bytes = 0, ns = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        bytes += (double)t->all[i].copied_bytes[0] + (double)t->all[i].copied_bytes[1];
        ns += (double)t->all[i].copied_ns[0] + (double)t->all[i].copied_ns[1];
    }
    return ns > 0 ? (uint64_t)(bytes * 1e9 / ns) : 0;
}
