#include "control/request.h"

#include "agent/agent.h"
#include "agent/agents.h"
#include "control/call.h"
#include "prim/machine.h"
#include "prim/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BESIDE_NS UINT64_C(50000000)

/* A refusal: the protocol's word and one sentence without quotes. A NULL code means "not refused". */
typedef struct refusal {
    const char *code;
    const char *text;
} refusal;

static const refusal accepted = {NULL, NULL};

/* ------------------------------------------------------------------ reading a line */

static refusal read_device(const char *value, control_request *r) {
    uint64_t device = 0;
    if (strlen(value) > 3 || strspn(value, "0123456789") != strlen(value) || !number_size(value, &device)) {
        return (refusal){"bad-request", "device takes a small whole number"};
    }
    r->device = (uint32_t)device;
    return accepted;
}

static refusal read_optimisation(const char *value, control_request *r) {
    r->optimisation = strcmp(value, "on") == 0;
    if (r->optimisation || strcmp(value, "off") == 0) return accepted;
    return (refusal){"bad-request", "optimisation takes on or off"};
}

static refusal read_policy(const char *value, control_request *r) {
    for (r->policy = LACUNA_POOL_POLICY_SEGREGATED; r->policy <= LACUNA_POOL_POLICY_LIFETIME; r->policy++) {
        if (strcmp(value, call_policy_word(r->policy)) == 0) return accepted;
    }
    return (refusal){"bad-request", "policy takes segregated or lifetime"};
}

static refusal read_fraction(const char *value, control_request *r) {
    if (!number_decimal(value, &r->fraction)) return (refusal){"bad-request", "fraction takes a decimal number"};
    if (!number_is_fraction(r->fraction)) return (refusal){"out-of-range", "fraction must be above 0 and at most 1"};
    return accepted;
}

static refusal read_force(const char *value, control_request *r) {
    r->force = strcmp(value, "yes") == 0;
    if (r->force || strcmp(value, "no") == 0) return accepted;
    return (refusal){"bad-request", "force takes yes or no"};
}

static refusal read_swap(const char *value, control_request *r) {
    for (r->swap = LACUNA_SWAP_OFF; r->swap <= LACUNA_SWAP_ALL; r->swap++) {
        if (strcmp(value, call_swap_word((uint32_t)r->swap)) == 0) return accepted;
    }
    return (refusal){"bad-request", "swap takes on, off or all"};
}

static refusal read_fresh(const char *value, control_request *r) {
    r->fresh = strcmp(value, "yes") == 0;
    if (r->fresh || strcmp(value, "no") == 0) return accepted;
    return (refusal){"bad-request", "fresh takes yes or no"};
}

static refusal read_pace(const char *value, control_request *r) {
    r->at_once = strcmp(value, "at-once") == 0;
    if (r->at_once || strcmp(value, "gentle") == 0) return accepted;
    return (refusal){"bad-request", "pace takes gentle or at-once"};
}

static refusal read_kinds(const char *value, control_request *r) {
    size_t length = strspn(value, "KSR"), rule = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-");
    bool letters = length > 0 && value[length] == '\0';
    if (!letters && (rule == 0 || rule >= LACUNA_RULE_BYTES || value[rule] != '\0')) {
        return (refusal){"bad-request", "kinds takes letters K, S and R, a rule, or off"};
    }
    memcpy(r->kinds, value, strlen(value) + 1); /* shorter than a line */
    return accepted;
}

static refusal read_budget(const char *value, control_request *r) {
    if (!number_size(value, &r->budget_bytes)) return (refusal){"bad-request", "swap-budget takes a size such as 512MiB"};
    if (r->budget_bytes <= machine_memory()) return accepted;
    return (refusal){"bad-request", "swap-budget takes at most the machine's memory"};
}

static refusal read_safe(const char *value, control_request *r) {
    if (number_size(value, &r->safe_bytes)) return accepted;
    return (refusal){"bad-request", "safe takes the lowest_safe_bytes of a refusal"};
}

static refusal read_first(const char *value, control_request *r) {
    uint64_t first = 0;
    if (strlen(value) > 4 || strspn(value, "0123456789") != strlen(value) || !number_size(value, &first)) {
        return (refusal){"bad-request", "first takes a small whole number"};
    }
    r->first = (uint32_t)first;
    return accepted;
}

static refusal read_by(const char *value, control_request *r) {
    size_t length = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@/+-");
    if (length == 0 || length > WORD_BYTES || value[length] != '\0') {
        return (refusal){"bad-request", "by takes one word of at most 64 letters, digits and ._:@/+-"};
    }
    memcpy(r->by, value, length + 1);
    return accepted;
}

static const struct {
    const char *name;
    unsigned key;
    refusal (*read)(const char *value, control_request *r);
} keys[] = {{"device", KEY_DEVICE, read_device},
            {"optimisation", KEY_OPTIMISATION, read_optimisation},
            {"policy", KEY_POLICY, read_policy},
            {"fraction", KEY_FRACTION, read_fraction},
            {"force", KEY_FORCE, read_force},
            {"safe", KEY_SAFE, read_safe},
            {"swap", KEY_SWAP, read_swap},
            {"swap-budget", KEY_BUDGET, read_budget},
            {"first", KEY_FIRST, read_first},
            {"fresh", KEY_FRESH, read_fresh},
            {"kinds", KEY_KINDS, read_kinds},
            {"pace", KEY_PACE, read_pace},
            {"by", KEY_BY, read_by}};

static refusal read_word(char *word, unsigned taken, control_request *r) {
    char *value = strchr(word, '=');
    if (!value) return (refusal){"bad-request", "words after the verb are key=value"};
    *value++ = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(word, keys[i].name) != 0) continue;
        if (!(taken & keys[i].key)) break;
        if (r->given & keys[i].key) return (refusal){"bad-request", "a key is given twice"};
        r->given |= keys[i].key;
        return keys[i].read(value, r);
    }
    return (refusal){"bad-request", "the verb does not take such a key"};
}

/* ------------------------------------------------------------------ verbs */

static void put_swap(writer *w, const lacuna_device_counters *c, uint64_t least) {
    reply_put(w, " swap=%s swap_budget_bytes=%" PRIu64 " host_used_bytes=%" PRIu64, call_swap_word(c->swap), c->host_budget_bytes,
        c->host_used_bytes);
    reply_put(w, " swapped_out_bytes=%" PRIu64 " swapped_in_bytes=%" PRIu64 " copy_ns=%" PRIu64 " stall_ns=%" PRIu64
           " rescues=%" PRIu64, c->swapped_out_bytes, c->swapped_in_bytes, c->copy_ns, c->stall_ns, c->rescues);
    reply_put(w, " swap_least_bytes=%" PRIu64, least);
}

static void answer_hello(call *c) {
    writer w = call_writer(c);
    uint32_t devices = lacuna_process_agents(NULL, 0);
    reply_put(&w, "ok pid=%ld layout=%u version=%s devices=%u", (long)getpid(), LACUNA_LAYOUT_VERSION, lacuna_version(),
        devices > 0 ? devices : 1);
    if (lacuna_process_can_leave()) reply_put(&w, " leaves=yes");
}

static void answer_get(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    lacuna_catch_up(c->agent);
    guard_refresh(c->agent);
    lacuna_counters(c->agent, &now);
    writer w = call_writer(c);
    reply_put(&w, "ok optimisation=%s", call_on_off(now.optimisation));
    call_put_number(&w, "fraction", now.fraction);
    reply_put(&w, " step=%" PRIu64 " total_bytes=%" PRIu64, now.step, now.total_bytes);
    call_put_counters(&w, "", &now);
    put_swap(&w, &now, lacuna_swap_least(c->agent));
    int node = lacuna_swap_numa(c->agent);
    if (node < 0) reply_put(&w, " numa_node=none");
    else reply_put(&w, " numa_node=%d", node);
    reply_put(&w, " numa=%s", lacuna_swap_near(c->agent));
    const safe_limit lowest = {now.lowest_safe_limit_bytes, now.safe_spread_bytes, now.safe_basis, now.safe_steps};
    call_put_safe(&w, guard_fraction(c->agent, lowest.bytes), &lowest);
    reply_put(&w, " policy=%s", call_policy_word(now.policy));
    call_put_rules(c, &w);
    reply_put(&w, " release_low_ns=%" PRIu32 " release_high_ns=%" PRIu32 " finish_ns=%" PRIu32 " move_ns=%" PRIu32 " given_back_ns=%" PRIu64,
              now.release_low_ns, now.release_high_ns, now.finish_ns, now.move_ns, agent_given_back_ns(c->agent));
}

static void answer_empty_cache(call *c) {
    lacuna_device_counters before, after;
    if (!call_counters(c, &before)) return;
    if (lacuna_empty_cache(c->agent) != LACUNA_OK || lacuna_counters(c->agent, &after) != LACUNA_OK) {
        call_refuse(c, "busy", "the agent could not release its cache");
        call_audit(c, "busy", NULL, NULL);
        return;
    }
    writer w = call_writer(c);
    reply_put(&w, "ok");
    call_put_counters(&w, "before.", &before);
    call_put_counters(&w, "after.", &after);
    call_audit(c, "ok", &before, &after);
}

/* Somebody looks: what is held is told, and from now on what the framework's own allocator serves, where one stands beside. */
static void answer_follow(call *c) {
    lacuna_device_counters now;
    if (!call_counters(c, &now)) return;
    size_t held = lacuna_tell_held(c->agent);
    bool told = lacuna_follow(c->agent) == LACUNA_OK;
    bool counted = told || lacuna_catch_up(c->agent) == LACUNA_OK;
    writer w = call_writer(c);
    reply_put(&w, "ok framework=%s held=%zu", told ? "told" : counted ? "counted" : "none", held);
}

static const struct {
    const char *name;
    unsigned keys;
    bool changes; /* refusals are audited too */
    void (*answer)(call *c);
} verbs[] = {
    {"hello", 0, false, answer_hello},
    {"get", KEY_DEVICE, false, answer_get},
    {"set", KEY_DEVICE | KEY_OPTIMISATION | KEY_POLICY | KEY_FRACTION | KEY_FORCE | KEY_SAFE | KEY_BY | KEY_SWAP | KEY_BUDGET, true,
     answer_set},
    {"layers", KEY_DEVICE | KEY_FIRST, false, answer_layers},
    {"profile", KEY_DEVICE | KEY_FIRST | KEY_FRESH, false, answer_profile},
    {"policy", KEY_DEVICE | KEY_FIRST | KEY_KINDS | KEY_BY, true, answer_policy},
    {"empty-cache", KEY_DEVICE | KEY_BY, true, answer_empty_cache},
    {"follow", KEY_DEVICE, false, answer_follow},
    {"compact", KEY_DEVICE | KEY_PACE | KEY_BY, true, answer_compact},
    {"compaction", KEY_DEVICE, false, answer_compaction},
    {"phases", KEY_DEVICE | KEY_FIRST, false, answer_phases},
    {"retract", KEY_BY, true, answer_retract},
};

/* ------------------------------------------------------------------ a line */

static bool is_text(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (line[i] < ' ' || line[i] > '~') return false;
    }
    return true;
}

static void answer_verb(call *c, size_t verb, char *words) {
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        refusal no = read_word(word, verbs[verb].keys, &c->asked);
        if (!no.code) continue;
        call_refuse(c, no.code, no.text);
        if (verbs[verb].changes) call_audit(c, no.code, NULL, NULL);
        return;
    }
    verbs[verb].answer(c);
}

static void answer(lacuna_agent *agent, const requester *who, const char *line, size_t length, char *reply,
                   size_t bytes) {
    call c = {.agent = agent, .who = who, .line = line, .length = length, .reply = reply, .bytes = bytes};
    char words[LACUNA_LINE_BYTES];
    if (length >= sizeof words) {
        call_refuse(&c, "line-too-long", "a line has at most 512 bytes with its newline");
        return;
    }
    if (!is_text(line, length)) {
        call_refuse(&c, "bad-request", "a line is printable ASCII");
        return;
    }
    memcpy(words, line, length);
    words[length] = '\0';
    char *rest = NULL;
    char *verb = strtok_r(words, " ", &rest);
    if (!verb) {
        call_refuse(&c, "bad-request", "the line is empty");
        return;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verb, verbs[i].name) == 0) {
            answer_verb(&c, i, rest);
            return;
        }
    }
    call_refuse(&c, "unknown-verb", "the verbs are hello, get, set, layers, profile, policy, empty-cache, follow, compact, compaction, phases and retract");
}

void request_answer_nobody(lacuna_agent *agent, const char *line, size_t length, char *reply, size_t bytes) {
    static const requester nobody = {0};
    answer(agent, &nobody, line, length, reply, bytes);
}

/* ------------------------------------------------------------------ for the socket */

/* What readers are told to be safe is brought up to date, at a pace that costs next to nothing; what the framework's own
 * allocator does, as often as a screen is drawn. */
static uint64_t look_at(lacuna_agent *agent) {
    bool beside = lacuna_catch_up(agent) == LACUNA_OK;
    guard_look(agent);
    return beside ? BESIDE_NS : UINT64_MAX;
}

static uint64_t look_at_agents(lacuna_agent *agent) {
    lacuna_agent *all[LACUNA_MAX_DEVICES];
    uint32_t count = lacuna_process_agents(all, LACUNA_MAX_DEVICES);
    uint64_t pause = count == 0 ? look_at(agent) : UINT64_MAX;
    for (uint32_t n = 0; n < count && n < LACUNA_MAX_DEVICES; n++) {
        uint64_t wanted = look_at(all[n]);
        if (wanted < pause) pause = wanted;
    }
    return pause;
}

const control_handler request_handler = {.answer = answer, .look = look_at_agents};
