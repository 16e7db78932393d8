/*
 * layers.h - the layers of a model: what is known of each, and what each is told to do. Under the swap engine's lock.
 */
#ifndef LACUNA_LAYERS_H
#define LACUNA_LAYERS_H

#include "lacuna.h"

#include <stdbool.h>

/* Invariants: `asked` and `does` are one action each, KEEP where there is no policy; `can` holds KEEP; where `asked` is not
 * in `can`, it is not what the layer does. Where a rule is in force there is no policy. */
typedef struct layer {
    lacuna_layer_usage usage;
    lacuna_layer_measurement measured;
    uint64_t copied_bytes[2], copied_ns[2]; /* in, out */
    uint32_t reason;                        /* lacuna_layer_reason */
    uint8_t asked, does, can;               /* lacuna_layer_action */
} layer;

typedef struct layer_table {
    layer *all; /* room for LACUNA_SWAP_LAYERS */
    uint32_t count;
    lacuna_profile profile;
    bool profiled, wanted; /* there is a profile; the owner is asked for one */
    bool policy;
    char rules[LACUNA_RULES][LACUNA_RULE_BYTES]; /* that the owner has */
    uint32_t rule_count, rule;                   /* in force: its place, counted from 1; 0 for none */
    uint64_t dropped_bytes;                      /* that rules let go of, to have it computed again */
    uint64_t changes;                            /* how often a policy was told */
} layer_table;

bool layers_open(layer_table *t);
void layers_close(layer_table *t);
/* In a forked child nobody measures, and nothing is told. */
void layers_forked(layer_table *t);

/* The number of a layer of that name; the first call makes it. Beyond the last, the last takes the rest. */
uint32_t layers_find(layer_table *t, const char *name);
void layers_copied(layer_table *t, uint32_t number, bool out, uint64_t bytes, uint64_t ns);

/* lacuna_policy_status; `out` says what was before, and which layer a refusal is about. */
int layers_tell(layer_table *t, uint32_t first, const char *letters, bool may_swap, lacuna_policy_change *out);
/* Names with commas between. */
void layers_rules_known(layer_table *t, const char *names);
const char *layers_rule(const layer_table *t);
/* The letters that are asked for; empty without a policy. */
void layers_letters(const layer_table *t, char letters[LACUNA_SWAP_LAYERS + 1]);
char layers_letter(uint32_t action);

/* With the rates of its copies. */
lacuna_layer_measurement layers_measured(const layer *l);
/* Bytes per second over all copies; 0 where nothing was copied. */
uint64_t layers_link(const layer_table *t);

#endif
