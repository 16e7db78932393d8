#include "control/call.h"

#include "agent/agent.h"
#include "agent/agents.h"
#include "prim/number.h"

#include <inttypes.h>

/* ------------------------------------------------------------------ words of replies */

void call_put_number(writer *w, const char *key, double value) {
    char text[NUMBER_TEXT_BYTES];
    number_print(value, text);
    reply_put(w, " %s=%s", key, text);
}

void call_put_counters(writer *w, const char *prefix, const lacuna_device_counters *c) {
    const struct {
        const char *name;
        uint64_t value;
    } shown[] = {
        {"reserved_bytes", c->reserved_bytes},     {"allocated_bytes", c->allocated_bytes},
        {"requested_bytes", c->requested_bytes},   {"active_bytes", c->active_bytes},
        {"limit_bytes", c->limit_bytes},           {"releasable_bytes", c->releasable_bytes},
        {"split_bytes", c->split_bytes},           {"pending_bytes", c->pending_bytes},
    };
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        reply_put(w, " %s%s=%" PRIu64, prefix, shown[i].name, shown[i].value);
    }
    static const char *const rules[] = {"stock", "lifetime", "segregated"};
    for (size_t i = 0; i < 3; i++) reply_put(w, " %s%s_cache_bytes=%" PRIu64, prefix, rules[i], c->cache_bytes[i]);
}

void call_put_rules(const call *c, writer *w) {
    char names[LACUNA_RULES * LACUNA_RULE_BYTES], rule[LACUNA_RULE_BYTES];
    lacuna_rules_read(c->agent, names, rule);
    reply_put(w, " rule=%s rules=%s dropped_bytes=%" PRIu64, rule[0] ? rule : "none", names[0] ? names : "none",
              lacuna_rules_dropped_bytes(c->agent));
}

const char *call_swap_word(uint32_t mode) {
    return mode == LACUNA_SWAP_ALL ? "all" : mode == LACUNA_SWAP_ON ? "on" : "off";
}

const char *call_on_off(bool on) { return on ? "on" : "off"; }

const char *call_policy_word(uint32_t policy) { return policy == LACUNA_POOL_POLICY_LIFETIME ? "lifetime" : "segregated"; }

/* ------------------------------------------------------------------ refusing, auditing, finding the device */

void call_refuse(call *c, const char *code, const char *text) { reply_refuse(c->reply, c->bytes, code, text); }

/* One audit line; `old` and `new` are NULL where nothing was changed. */
void call_audit(const call *c, const char *result, const lacuna_device_counters *old,
                const lacuna_device_counters *new) {
    char outcome[512], was[NUMBER_TEXT_BYTES], is[NUMBER_TEXT_BYTES];
    writer w = {outcome, sizeof outcome};
    reply_put(&w, "by=%s result=%s force=%s", c->asked.by[0] ? c->asked.by : "-", result, c->asked.force ? "yes" : "no");
    if (old && new) {
        number_print(old->fraction, was);
        number_print(new->fraction, is);
        reply_put(&w, " optimisation=%s->%s fraction=%s->%s reserved_bytes=%" PRIu64 "->%" PRIu64, call_on_off(old->optimisation),
            call_on_off(new->optimisation), was, is, old->reserved_bytes, new->reserved_bytes);
        if (c->asked.given & KEY_POLICY) {
            reply_put(&w, " policy=%s->%s", call_policy_word(old->policy), call_policy_word(new->policy));
        }
        if (c->asked.given & (KEY_SWAP | KEY_BUDGET)) {
            reply_put(&w, " swap=%s->%s swap_budget_bytes=%" PRIu64 "->%" PRIu64, call_swap_word(old->swap), call_swap_word(new->swap),
                old->host_budget_bytes, new->host_budget_bytes);
        }
    }
    audit_append(c->who, c->line, c->length, outcome);
}

/* The agent of the device that is meant; the one that the socket was opened for where the process has no such. Where none
 * is said, that of the process's first accelerator, else of its host memory. */
static void choose_agent(call *c) {
    uint32_t number = agent_number(c->agent);
    if (!(c->asked.given & KEY_DEVICE)) {
        if (agents_at(number) == c->agent) c->agent = lacuna_process_agent();
        c->asked.device = agent_number(c->agent);
    } else if (c->asked.device != number) {
        lacuna_agent *meant = agents_at(c->asked.device);
        if (meant) c->agent = meant;
    }
}

bool call_counters(call *c, lacuna_device_counters *now) {
    choose_agent(c);
    if (lacuna_counters(c->agent, now) != LACUNA_OK) {
        call_refuse(c, "no-device", "the agent does not answer");
        return false;
    }
    if (c->asked.device != now->index) {
        call_refuse(c, "no-device", "this process has no device of that number");
        return false;
    }
    return true;
}
