/*
 * call.h - a request that has been read, and what all who answer its verb share.
 */
#ifndef LACUNA_CALL_H
#define LACUNA_CALL_H

#include "control/audit.h"
#include "control/reply.h"
#include "guard/guard.h"
#include "lacuna.h"

#include <stdbool.h>

enum { WORD_BYTES = 64 };

/* What a line may ask for, in bits: which keys a verb takes, and which a line gave. */
enum key {
    KEY_DEVICE = 1,
    KEY_OPTIMISATION = 2,
    KEY_FRACTION = 4,
    KEY_FORCE = 8,
    KEY_BY = 16,
    KEY_SWAP = 32,
    KEY_BUDGET = 64,
    KEY_FIRST = 128,
    KEY_FRESH = 256,
    KEY_KINDS = 512,
    KEY_SAFE = 1024,
    KEY_PACE = 2048,
    KEY_POLICY = 4096
};

typedef struct control_request {
    unsigned given;
    uint32_t device;
    bool optimisation;
    uint32_t policy; /* lacuna_pool_policy */
    bool force;
    bool fresh;
    bool at_once;
    double fraction;
    int swap; /* lacuna_swap_mode */
    uint64_t budget_bytes;
    uint64_t safe_bytes; /* the figure that was shown to who forces */
    uint32_t first;
    char by[WORD_BYTES + 1];
    char kinds[LACUNA_LINE_BYTES];
} control_request;

typedef struct call {
    lacuna_agent *agent;
    const requester *who;
    const char *line;
    size_t length;
    control_request asked;
    char *reply;
    size_t bytes;
} call;

static inline writer call_writer(const call *c) { return (writer){c->reply, c->bytes}; }

void call_refuse(call *c, const char *code, const char *text);

/* One audit line; `old` and `new` are NULL where nothing was changed. */
void call_audit(const call *c, const char *result, const lacuna_device_counters *old, const lacuna_device_counters *new);

/* Turns to the device that is meant; false where there is none, which was answered. */
bool call_counters(call *c, lacuna_device_counters *now);

/* Words of replies. */
void call_put_number(writer *w, const char *key, double value);
void call_put_counters(writer *w, const char *prefix, const lacuna_device_counters *c);
const char *call_swap_word(uint32_t mode);
/* Which rule chooses for each tensor, and which the process has. */
void call_put_rules(const call *c, writer *w);
const char *call_on_off(bool on);
const char *call_policy_word(uint32_t policy);

/* request_set.c */
void call_put_safe(writer *w, double fraction, const safe_limit *lowest);
void answer_set(call *c);

/* request_compaction.c */
void answer_compact(call *c);
void answer_compaction(call *c);

/* request_leaving.c */
void answer_retract(call *c);

/* request_phases.c */
void answer_phases(call *c);

/* request_layers.c */
void answer_layers(call *c);
void answer_profile(call *c);
void answer_policy(call *c);

#endif
