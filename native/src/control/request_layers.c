/*
 * request_layers.c - the verbs about layers: what of each is where, what it takes, what it is to do.
 */
#include "control/call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LAYER_ROOM = 320 /* one layer's words and those after it */ };

static const char *const reasons[LACUNA_REASONS] = {
    "-",         "untried",      "between",  "in-place",    "hooks",     "side-effects",
    "arguments", "checkpointed", "compiled", "distributed", "different", "failed",
    "threads",
};

/* A name that can stand in a word, between colons. */
static bool name_of(lacuna_agent *agent, uint32_t number, lacuna_layer_usage *u) {
    if (lacuna_swap_usage(agent, number, u) != LACUNA_OK) return false;
    for (char *at = u->name; *at; at++) {
        if (*at <= ' ' || *at > '~' || *at == ':' || *at == '=' || *at == '"') *at = '_';
    }
    return true;
}

/* As many layers as fit, so that the next question begins where this answer ends. */
static void put_layers(call *c, writer *w, void (*put)(call *c, writer *w, uint32_t number, const lacuna_layer_usage *u)) {
    lacuna_layer_usage u;
    uint32_t number = c->asked.first;
    for (; w->left > LAYER_ROOM && name_of(c->agent, number, &u); number++) put(c, w, number, &u);
    bool more = lacuna_swap_usage(c->agent, number, &u) == LACUNA_OK;
    reply_put(w, " next=%" PRIu32 " more=%s", number, more ? "yes" : "no");
}

/* ------------------------------------------------------------------ layers */

static void put_place(call *c, writer *w, uint32_t number, const lacuna_layer_usage *u) {
    lacuna_layer_state state = {.asked = 'K', .does = 'K'};
    lacuna_layer_state_of(c->agent, number, &state);
    reply_put(w, " layer.%" PRIu32 "=%s:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%c:%c:%s", number, u->name,
              u->bytes[LACUNA_ON_DEVICE], u->bytes[LACUNA_COPYING_OUT], u->bytes[LACUNA_ON_HOST],
              u->bytes[LACUNA_COPYING_IN], state.asked, state.does, reasons[state.asked == 'R' && state.does != 'R' ? state.reason : 0]);
}

void answer_layers(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    char letters[LACUNA_SWAP_LAYERS + 1], names[LACUNA_RULES * LACUNA_RULE_BYTES], rule[LACUNA_RULE_BYTES];
    lacuna_rules_read(c->agent, names, rule);
    writer w = call_writer(c);
    reply_put(&w, "ok first=%" PRIu32 " policy=%s", c->asked.first, lacuna_policy_read(c->agent, letters) ? "on" : "off");
    if (rule[0]) reply_put(&w, " rule=%s", rule);
    put_layers(c, &w, put_place);
}

/* ------------------------------------------------------------------ profile */

static void put_measurement(call *c, writer *w, uint32_t number, const lacuna_layer_usage *u) {
    lacuna_layer_measurement m = {.can = LACUNA_LAYER_KEEP};
    lacuna_profile_of(c->agent, number, &m);
    reply_put(w, " layer.%" PRIu32 "=%s:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu32
              ":K%s%s", number, u->name, m.forward_ns, m.backward_ns, m.saved_bytes, m.input_bytes, m.copy_out_ns,
              m.copy_in_ns, m.steps, m.can & LACUNA_LAYER_SWAP ? "S" : "", m.can & LACUNA_LAYER_RECOMPUTE ? "R" : "");
}

void answer_profile(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    lacuna_profile profile;
    int measuring;
    if (lacuna_profile_ask(c->agent, c->asked.fresh) != LACUNA_OK ||
        lacuna_profile_read(c->agent, &profile, &measuring) != LACUNA_OK) {
        call_refuse(c, "no-device", "this device cannot copy to a host");
        return;
    }
    writer w = call_writer(c);
    reply_put(&w, "ok first=%" PRIu32 " measuring=%s step_ns=%" PRIu64 " peak_allocated_bytes=%" PRIu64 " limit_bytes=%" PRIu64
              " other_bytes=%" PRIu64 " link_bytes_per_second=%" PRIu64, c->asked.first, measuring ? "yes" : "no",
              profile.step_ns, profile.peak_allocated_bytes, now.limit_bytes, profile.other_bytes,
              profile.link_bytes_per_second);
    put_layers(c, &w, put_measurement);
}

/* ------------------------------------------------------------------ policy */

static const struct {
    const char *code, *text;
} refusals[] = {
    [LACUNA_POLICY_LETTERS] = {"bad-request", "kinds takes letters K, S and R, off, or one of the rules that get names"},
    [LACUNA_POLICY_NO_LAYERS] = {"no-layers", "no layer is known yet; ask for a profile first"},
    [LACUNA_POLICY_TOO_MANY] = {"out-of-range", "there are fewer layers than that"},
    [LACUNA_POLICY_SWAP_OFF] = {"swap-off", "a layer cannot be swapped while swapping is off"},
    [LACUNA_POLICY_NO_DEVICE] = {"no-device", "this device cannot copy to a host"},
};

static void refuse_policy(call *c, int status, const lacuna_policy_change *change) {
    if (status == LACUNA_POLICY_CANNOT) {
        snprintf(c->reply, c->bytes, "error code=cannot layer=%" PRIu32 " text=\"layer %" PRIu32 " cannot do that: %s\"",
                 change->layer, change->layer, reasons[change->reason]);
        call_audit(c, "cannot", NULL, NULL);
        return;
    }
    call_refuse(c, refusals[status].code, refusals[status].text);
    call_audit(c, refusals[status].code, NULL, NULL);
}

void answer_policy(call *c) {
    lacuna_device_counters before, after;
    if (!call_counters(c, &before)) return;
    if (!(c->asked.given & KEY_KINDS)) {
        call_refuse(c, "bad-request", "policy what? give kinds");
        call_audit(c, "bad-request", NULL, NULL);
        return;
    }
    bool off = strcmp(c->asked.kinds, "off") == 0;
    lacuna_policy_change change;
    int status = lacuna_policy_tell(c->agent, c->asked.first, off ? NULL : c->asked.kinds, &change);
    if (status != LACUNA_POLICY_TOLD) {
        refuse_policy(c, status, &change);
        return;
    }
    writer w = call_writer(c);
    reply_put(&w, "ok layers=%" PRIu32 " before=%s", change.layers, change.before[0] ? change.before : "off");
    lacuna_counters(c->agent, &after);
    call_audit(c, "ok", &before, &after);
}
