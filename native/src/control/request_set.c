/*
 * request_set.c - the verb `set`: what it asks for is judged as a whole, then done as a whole.
 */
#include "control/call.h"

#include "device/device.h"

#include <inttypes.h>
#include <stdio.h>

#define SETTINGS (KEY_OPTIMISATION | KEY_POLICY | KEY_FRACTION | KEY_SWAP | KEY_BUDGET)
#define GROWN_BYTES SLOT_BYTES /* a forced figure may have grown by so much since it was shown */

/* ------------------------------------------------------------------ refusing */

static const char *const bases[] = {"peak-reserved", "replayed", "varying"};

void call_put_safe(writer *w, double fraction, const safe_limit *lowest) {
    call_put_number(w, "lowest_safe_fraction", fraction);
    reply_put(w, " lowest_safe_bytes=%" PRIu64 " basis=%s steps=%" PRIu32 " spread_bytes=%" PRIu64, lowest->bytes, bases[lowest->basis],
              lowest->steps, lowest->spread_bytes);
}

static double mebibytes(uint64_t bytes) {
    return (double)bytes / (1 << 20);
}

static void put_reason(writer *w, const safe_limit *lowest, uint64_t total) {
    double need = mebibytes(lowest->bytes);
    if (lowest->basis == LACUNA_SAFE_PEAK_RESERVED) {
        const char *why = lowest->steps < 2 ? "fewer than two whole steps are known" : "the machine is too busy to replay the last steps";
        reply_put(w, "%s, and by what was reserved it takes %.2f MiB", why, need);
        return;
    }
    if (lowest->basis == LACUNA_SAFE_REPLAYED && lowest->bytes > total) { /* by how much was not looked for */
        reply_put(w, "the last %" PRIu32 " steps, replayed with these settings, need more than the device has", lowest->steps);
        return;
    }
    reply_put(w, "the last %" PRIu32 " steps, replayed with these settings, take %.2f MiB", lowest->steps,
              mebibytes(lowest->bytes - lowest->spread_bytes));
    if (lowest->basis == LACUNA_SAFE_VARYING) reply_put(w, ", and as steps differ %.2f MiB are safe, likely but not certain", need);
}

static void refuse_change(call *c, const lacuna_device_counters *now, const verdict *v, const char *first) {
    writer w = call_writer(c);
    reply_put(&w, "error code=would-fail");
    call_put_safe(&w, v->lowest_fraction, &v->lowest);
    reply_put(&w, " text=\"%s", first);
    put_reason(&w, &v->lowest, now->total_bytes);
    if (v->lowest.bytes > now->total_bytes) {
        reply_put(&w, "; no cap is safe, for the device has %.2f MiB", mebibytes(now->total_bytes));
    } else if (v->lowest.bytes > now->limit_bytes) {
        reply_put(&w, "; that is more than the present cap");
    }
    uint64_t least = lacuna_swap_least(c->agent);
    if (least != 0) reply_put(&w, "; swapping can leave it %.2f MiB at least", mebibytes(least));
    reply_put(&w, "; force=yes overrides\"");
    call_audit(c, "would-fail", NULL, NULL);
}

/* ------------------------------------------------------------------ judging */

static situation wanted_by(const call *c) {
    situation s = guard_situation(c->agent);
    const control_request *r = &c->asked;
    if (r->given & KEY_FRACTION) s.limit_bytes = guard_limit(c->agent, r->fraction);
    if (r->given & KEY_OPTIMISATION) s.optimisation = r->optimisation;
    if (r->given & KEY_POLICY) s.policy = r->policy;
    if (r->given & KEY_SWAP) s.swap = r->swap;
    if (r->given & KEY_BUDGET) s.budget_bytes = r->budget_bytes;
    return s;
}

/* Who forces by a figure that was shown forces that harm, not a greater one. */
static bool is_allowed(call *c, const lacuna_device_counters *now) {
    bool by_figure = (c->asked.given & KEY_SAFE) != 0;
    if (c->asked.force && !by_figure) return true;
    situation wanted = wanted_by(c);
    verdict v = guard_judge(c->agent, &wanted);
    if (v.safe || (by_figure && v.lowest.bytes <= c->asked.safe_bytes + GROWN_BYTES)) return true;
    refuse_change(c, now, &v, by_figure ? "the numbers have changed: " : "");
    return false;
}

/* ------------------------------------------------------------------ doing */

static void change_swap(const call *c) {
    int mode = c->asked.given & KEY_SWAP ? c->asked.swap : LACUNA_SWAP_KEEP;
    lacuna_swap_set(c->agent, mode, c->asked.given & KEY_BUDGET ? c->asked.budget_bytes : LACUNA_SWAP_KEEP_BUDGET);
}

/* Keeping both makes the engine, and changes nothing. */
static bool can_swap(const call *c) {
    if (!(c->asked.given & (KEY_SWAP | KEY_BUDGET))) return true;
    return lacuna_swap_set(c->agent, LACUNA_SWAP_KEEP, LACUNA_SWAP_KEEP_BUDGET) == LACUNA_OK;
}

/* In the order in which memory changes sides once. */
static bool change_rules(const call *c, lacuna_change *one) {
    bool switches = (c->asked.given & KEY_OPTIMISATION) != 0, off = switches && !c->asked.optimisation;
    lacuna_change more = {0};
    if (off && lacuna_set_optimisation(c->agent, 0, one) != LACUNA_OK) return false;
    if ((c->asked.given & KEY_POLICY) && lacuna_set_policy(c->agent, (int)c->asked.policy, off ? &more : one) != LACUNA_OK) return false;
    if (switches && !off && lacuna_set_optimisation(c->agent, 1, &more) != LACUNA_OK) return false;
    if ((c->asked.given & KEY_POLICY) == 0 && !off) one->before = more.before;
    if (switches && (c->asked.given & KEY_POLICY || !off)) one->after = more.after;
    return true;
}

/* What takes no argument that could be refused comes last; should the agent refuse it all the same, the cap is put back. */
static bool change_settings(call *c, lacuna_change *done) {
    const lacuna_device_counters old = done->before;
    lacuna_change one = {0};
    if (c->asked.given & KEY_FRACTION) {
        if (lacuna_set_fraction(c->agent, c->asked.fraction, 1, &one) != LACUNA_OK) {
            call_refuse(c, "out-of-range", "the agent refused that fraction");
            call_audit(c, "out-of-range", NULL, NULL);
            return false;
        }
        *done = one;
    }
    if (c->asked.given & (KEY_OPTIMISATION | KEY_POLICY)) {
        if (!change_rules(c, &one)) {
            if (c->asked.given & KEY_FRACTION) lacuna_set_fraction(c->agent, old.fraction, 1, NULL);
            call_refuse(c, "busy", "the agent could not switch");
            call_audit(c, "busy", NULL, NULL);
            return false;
        }
        if (!(c->asked.given & KEY_FRACTION)) done->before = one.before;
        done->after = one.after;
    }
    if (c->asked.given & (KEY_SWAP | KEY_BUDGET)) {
        change_swap(c); /* cannot be refused: that was asked before anything was changed */
        lacuna_counters(c->agent, &done->after);
    }
    return true;
}

static void tell_done(call *c, const lacuna_change *done) {
    const lacuna_device_counters *now = &done->after;
    uint64_t unreached = now->reserved_bytes > now->limit_bytes ? now->reserved_bytes - now->limit_bytes : 0;
    writer w = call_writer(c);
    reply_put(&w, "ok optimisation=%s", call_on_off(now->optimisation));
    call_put_number(&w, "fraction", now->fraction);
    reply_put(&w, " limit_bytes=%" PRIu64, now->limit_bytes);
    call_put_counters(&w, "before.", &done->before);
    call_put_counters(&w, "after.", now);
    reply_put(&w, " unreached_bytes=%" PRIu64, unreached);
    if (c->asked.given & KEY_POLICY) reply_put(&w, " policy=%s", call_policy_word(now->policy));
    if (c->asked.given & (KEY_SWAP | KEY_BUDGET)) {
        reply_put(&w, " swap=%s swap_budget_bytes=%" PRIu64, call_swap_word(now->swap), now->host_budget_bytes);
    }
    if (now->swap != LACUNA_SWAP_OFF) reply_put(&w, " swap_least_bytes=%" PRIu64, lacuna_swap_least(c->agent));
    call_audit(c, "ok", &done->before, now);
}

void answer_set(call *c) {
    lacuna_change done = {0};
    if (!call_counters(c, &done.before)) return;
    if (!(c->asked.given & SETTINGS)) {
        call_refuse(c, "bad-request", "set what? give optimisation, policy, fraction, swap or swap-budget");
        return;
    }
    if ((c->asked.given & KEY_SAFE) && !c->asked.force) {
        call_refuse(c, "bad-request", "safe goes with force=yes");
        call_audit(c, "bad-request", NULL, NULL);
        return;
    }
    bool is_to_serve = ((c->asked.given & KEY_OPTIMISATION) && c->asked.optimisation) || ((c->asked.given & KEY_SWAP) && c->asked.swap != LACUNA_SWAP_OFF);
    if (is_to_serve && lacuna_process_leaving(NULL) != LACUNA_STAYING) {
        call_refuse(c, "busy", "the agent is leaving this process and serves nothing new");
        call_audit(c, "busy", NULL, NULL);
        return;
    }
    if (!can_swap(c)) {
        call_refuse(c, "no-device", "this device cannot copy to a host");
        call_audit(c, "no-device", NULL, NULL);
        return;
    }
    if (is_allowed(c, &done.before) && change_settings(c, &done)) tell_done(c, &done);
}
