#include "guard/guard.h"

#include "guard/safe.h"
#include "pool/operation.h"
#include "pool/publish.h"
#include "prim/clock.h"
#include "swap/swap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef LACUNA_CHECK
#define ASKED_NS UINT64_C(600000000000)    /* tests say the same on any machine */
#else
#define ASKED_NS UINT64_C(1200000000)      /* somebody waits for the answer: clients two seconds */
#endif
#define UNASKED_NS UINT64_C(500000000)
#define UNASKED_SHARE 100                  /* of one processor this part at most goes into looking unasked */
#define STALE_NS UINT64_C(60000000000)     /* after so long it is worked out anew though nothing seems to differ */

/* ------------------------------------------------------------------ opening and closing */

bool guard_open(lacuna_agent *a) {
    a->guard = calloc(1, sizeof *a->guard);
    if (a->guard == NULL) return false;
    a->guard->windows.log = &a->log;
    return true;
}

void guard_close(lacuna_agent *a) {
    if (a->guard == NULL) return;
    windows_close(&a->guard->windows);
    free(a->guard);
    a->guard = NULL;
}

/* ------------------------------------------------------------------ what steps took */

/* The counters hold what was worked out; else the peak reserved. */
static bool is_known(const lacuna_agent *a) {
    return a->counters.safe_basis != LACUNA_SAFE_PEAK_RESERVED;
}

/* A step took more than all that were rehearsed: the figure rises with it at once. */
static void rise(lacuna_agent *a, uint64_t peak) {
    guard *g = a->guard;
    if (!is_known(a) || peak <= g->known_peak) return;
    uint64_t more = (peak - g->known_peak + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES;
    a->counters.lowest_safe_limit_bytes += more;
    a->counters.safe_spread_bytes += more;
    a->counters.safe_basis = LACUNA_SAFE_VARYING;
    g->known_peak = peak;
}

void guard_step_ended(lacuna_agent *a) {
    guard *g = a->guard;
    uint64_t peak = a->counters.last_step_peak_allocated_bytes;
    windows_step_ended(&g->windows, a, peak);
    if (a->counters.step > 1 && !g->partly) {
        guard_step *s = &g->steps[g->step_count++ % GUARD_STEPS];
        s->allocated = peak;
        s->everything = a->step.peak_everything_bytes > peak ? a->step.peak_everything_bytes : peak;
        s->host = a->swap != NULL ? swap_step_peak(a->swap) : 0;
        rise(a, peak);
    }
    a->step.peak_everything_bytes = 0;
    g->partly = false;
}

void guard_settings_changed(lacuna_agent *a) {
    a->guard->changes++;
    a->guard->next_look_ns = 0;
    a->counters.safe_basis = LACUNA_SAFE_PEAK_RESERVED;
    a->counters.safe_spread_bytes = 0;
    a->counters.safe_steps = 0;
}

void guard_swapping_changed(lacuna_agent *a) {
    guard *g = a->guard;
    for (uint64_t n = 0; n < g->step_count && n < GUARD_STEPS; n++) {
        if (g->steps[n].everything > g->former_everything) g->former_everything = g->steps[n].everything;
    }
    g->step_count = 0;
    g->partly = true;
    windows_restart(&g->windows);
    guard_settings_changed(a);
}

void guard_forked(lacuna_agent *a) {
    guard_settings_changed(a);
    windows kept = a->guard->windows;
    *a->guard = (guard){.windows = kept};
    windows_forget(&a->guard->windows);
}

/* ------------------------------------------------------------------ what holds */

static safe_facts look(lacuna_agent *a) {
    safe_facts f = {0};
    state_lock(a);
    if (a->swap != NULL) swap_tell(a->swap, &a->counters);
    publish_copy(a, &f.counters); /* with what the framework's own allocator holds */
    f.inherited_bytes = a->inherited_bytes;
    f.peak_reserved = peak_reserved(a) > a->framework.ever_reserved_bytes ? peak_reserved(a) : a->framework.ever_reserved_bytes;
    f.framework_bytes = a->framework.most_reserved_bytes;
    f.framework_alone = a->framework.alone;
    f.former_everything = a->guard->former_everything;
    f.changes = a->guard->changes;
    f.step_count = a->guard->step_count;
    memcpy(f.history, a->guard->steps, sizeof f.history);
    if (is_known(a)) f.told = (safe_told){a->guard->known_least, a->guard->known_peak, a->guard->known_count};
    f.view = windows_pin(&a->guard->windows);
    state_unlock(a);
    return f;
}

static void let_go(lacuna_agent *a, const safe_facts *f) {
    state_lock(a);
    windows_unpin(&a->guard->windows, &f->view);
    state_unlock(a);
}

static situation situation_of(const lacuna_device_counters *c) {
    return (situation){c->limit_bytes, c->optimisation != 0, (int)c->swap, c->host_budget_bytes, c->policy};
}

situation guard_situation(lacuna_agent *a) {
    state_lock(a);
    if (a->swap != NULL) swap_tell(a->swap, &a->counters);
    situation s = situation_of(&a->counters);
    state_unlock(a);
    return s;
}

/* The counters tell of what holds, where nothing was changed meanwhile. */
static void publish(lacuna_agent *a, const safe_facts *f, const safe_limit *lowest) {
    lacuna_device_counters *c = &a->counters;
    guard *g = a->guard;
    if (lowest->basis == LACUNA_SAFE_PEAK_RESERVED) return;
    safe_range peaks = safe_peaks(f);
    state_lock(a);
    if (g->changes == f->changes) {
        g->known_peak = peaks.most;
        g->known_least = peaks.least;
        g->known_count = f->step_count;
        g->stale_ns = clock_system_ns() + STALE_NS;
        c->lowest_safe_limit_bytes = lowest->bytes;
        c->safe_basis = lowest->basis;
        c->safe_spread_bytes = lowest->spread_bytes;
        c->safe_steps = lowest->steps;
        publish_counters(a);
    }
    state_unlock(a);
}

/* ------------------------------------------------------------------ judging */

/* Whether anything is taken away. What only gives more is never refused. */
static bool takes_away(const situation *now, const situation *wanted) {
    bool swaps = now->swap != LACUNA_SWAP_OFF;
    return wanted->limit_bytes < now->limit_bytes || !situation_keeps_rules(now, wanted) ||
           (swaps && wanted->swap == LACUNA_SWAP_OFF) || (swaps && wanted->budget_bytes < now->budget_bytes);
}

/* The least fraction whose cap is enough: rounding must not put it a byte too low. */
double guard_fraction(const lacuna_agent *a, uint64_t lowest) {
    double fraction = (double)lowest / (double)a->counters.total_bytes;
    while (fraction < 1 && guard_limit(a, fraction) < lowest) fraction = nextafter(fraction, 2);
    return fraction < 1 ? fraction : 1;
}

uint64_t guard_limit(const lacuna_agent *a, double fraction) {
    return (uint64_t)floor(fraction * (double)a->counters.total_bytes) + a->inherited_bytes;
}

double guard_lowest_fraction(lacuna_agent *a) {
    lacuna_device_counters now;
    publish_copy(a, &now);
    return guard_fraction(a, now.lowest_safe_limit_bytes);
}

static bool is_same(const situation *x, const situation *y) {
    return situation_keeps_rules(x, y) && x->swap == y->swap && x->budget_bytes == y->budget_bytes;
}

verdict guard_judge(lacuna_agent *a, const situation *wanted) {
    verdict v = {0};
    safe_facts f = look(a);
    situation now = situation_of(&f.counters);
    if (!takes_away(&now, wanted)) {
        const lacuna_device_counters *c = &f.counters;
        v.safe = true;
        v.lowest = (safe_limit){c->lowest_safe_limit_bytes, c->safe_spread_bytes, c->safe_basis, c->safe_steps};
        v.lowest_fraction = guard_fraction(a, v.lowest.bytes);
        let_go(a, &f);
        return v;
    }
    v.lowest = safe_work_out(&f, &now, wanted, clock_system_ns() + ASKED_NS);
    v.lowest_fraction = guard_fraction(a, v.lowest.bytes);
    v.safe = wanted->limit_bytes >= v.lowest.bytes;
    if (is_same(&now, wanted)) publish(a, &f, &v.lowest);
    let_go(a, &f);
    return v;
}

/* ------------------------------------------------------------------ keeping the figure */

static void work_out(lacuna_agent *a, uint64_t patience_ns) {
    uint64_t began = clock_system_ns();
    safe_facts f = look(a);
    if (f.view.of != NULL) {
        situation now = situation_of(&f.counters), any = now;
        any.limit_bytes = ANY_LIMIT;
        safe_limit lowest = safe_work_out(&f, &now, &any, began + patience_ns);
        publish(a, &f, &lowest);
    }
    let_go(a, &f);
    uint64_t ended = clock_system_ns();
    state_lock(a);
    a->guard->next_look_ns = ended + UNASKED_SHARE * (ended - began);
    state_unlock(a);
}

/* Whether steps have ended that may have changed it. */
static bool is_due(lacuna_agent *a, bool asked) {
    uint64_t now = clock_system_ns();
    state_lock(a);
    const guard *g = a->guard;
    bool due = windows_have(&g->windows) && (asked || now >= g->next_look_ns);
    if (due && is_known(a)) {
        bool varies = a->counters.safe_basis == LACUNA_SAFE_VARYING;
        due = g->step_count > g->known_count && ((varies && g->step_count >= 2 * g->known_count) || now >= g->stale_ns);
        const guard_step *last = &g->steps[(g->step_count + GUARD_STEPS - 1) % GUARD_STEPS];
        due = due || (g->step_count > g->known_count && !varies && last->allocated != g->known_peak);
    }
    state_unlock(a);
    return due;
}

void guard_refresh(lacuna_agent *a) {
    if (is_due(a, true)) work_out(a, ASKED_NS);
}

void guard_look(lacuna_agent *a) {
    if (is_due(a, false)) work_out(a, UNASKED_NS);
}
