#include "guard/safe.h"

#include "guard/rehearsal.h"
#include "pool/operation.h"
#include "prim/clock.h"

#include <math.h>

#define MOMENTS 8            /* at which a cap may come: steps and places in them */
#define LEAST_STEPS 16       /* that a trial plays */
#define PRECISION 256        /* of the limit, where that is more than a slot */
#define UNLIKELY 1000.0      /* one in so many series of steps with evenly spread peaks goes beyond the spread */
#define MOST_SPREADS 9.0     /* what four steps are given: fewer say too little to ask for more */
#define LARGE_SEGMENT (UINT64_C(20) << 20) /* of the stock policy */

static uint64_t up_to_slot(uint64_t n) {
    return (n + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES;
}

static uint64_t larger(uint64_t x, uint64_t y) {
    return x > y ? x : y;
}

safe_range safe_peaks(const safe_facts *f) {
    safe_range r = {UINT64_MAX, 0, 0, 0};
    uint64_t count = f->step_count < GUARD_STEPS ? f->step_count : GUARD_STEPS;
    for (uint64_t n = 0; n < count; n++) {
        const guard_step *s = &f->history[n];
        if (s->allocated < r.least) r.least = s->allocated;
        r.most = larger(r.most, s->allocated);
        r.most_everything = larger(r.most_everything, s->everything);
        r.most_host = larger(r.most_host, s->host);
    }
    if (count == 0) r.least = 0;
    return r;
}

/* ------------------------------------------------------------------ the search */

typedef struct search {
    const safe_facts *facts;
    rehearsal played;
    bool optimisation;
    uint32_t policy, rounds;
    uint64_t deadline_ns;
} search;

/* `limit` and what is told are as limit_bytes of the counters. */
static enum outcome play_under(const search *s, uint64_t limit, uint64_t at, uint64_t *peak_reserved) {
    uint64_t inherited = s->facts->inherited_bytes;
    if (limit <= inherited) return OUTCOME_FAILED;
    if (clock_system_ns() > s->deadline_ns) return OUTCOME_UNKNOWN;
    trial t = {.optimisation = s->optimisation, .policy = s->policy, .limit = limit - inherited, .at = at, .rounds = s->rounds,
        .deadline_ns = s->deadline_ns};
    return rehearsal_play(&s->played, &t, peak_reserved);
}

static bool is_served(const search *s, uint64_t limit, uint64_t at, uint64_t *peak_reserved) {
    return play_under(s, limit, at, peak_reserved) == OUTCOME_SERVED;
}

/* The lowest limit in (low, high] that does, where that of `high` is known to. */
static uint64_t lowest_between(const search *s, uint64_t low, uint64_t high, uint64_t at) {
    while (high - low > SLOT_BYTES && high - low > high / PRECISION) {
        uint64_t middle = low + (high - low) / 2 / SLOT_BYTES * SLOT_BYTES;
        if (middle == low) middle += SLOT_BYTES;
        if (is_served(s, middle, at, NULL)) high = middle;
        else low = middle;
    }
    return high;
}

/* From `limit`, which does not do at this moment, up to one that does; `ample` did at the first moment. */
static uint64_t raised(const search *s, uint64_t limit, uint64_t ample, uint64_t at) {
    uint64_t most = s->facts->counters.total_bytes + s->facts->inherited_bytes, high = larger(ample, limit + SLOT_BYTES);
    while (!is_served(s, high, at, NULL)) {
        if (high >= most || clock_system_ns() > s->deadline_ns) return larger(high, ample);
        limit = high;
        high = high + larger(up_to_slot(high / 8), SLOT_BYTES);
        if (high > most) high = most;
    }
    return lowest_between(s, limit, high, at);
}

/* The first round brings the copy to where the agent is; from there on the cap may come at any moment of any step, when
 * blocks lie as the old one let them. */
static uint64_t moment(const search *s, uint64_t n) {
    const window_view *v = &s->facts->view;
    return v->count + (v->count * n + v->count / v->steps * n) / (MOMENTS + 1);
}

static uint64_t at_all_moments(const search *s, uint64_t limit, uint64_t ample) {
    for (uint64_t n = 0; n < MOMENTS; n++) {
        if (!is_served(s, limit, moment(s, n), NULL)) limit = raised(s, limit, ample, moment(s, n));
    }
    return limit;
}

/* Where all that the device has is `ample`, and more than enough for this. */
static uint64_t rehearsed(const search *s, uint64_t ample, uint64_t wanted) {
    const safe_facts *f = s->facts;
    uint64_t least = larger(up_to_slot(f->view.peak_allocated), SLOT_BYTES);
    ample = larger(up_to_slot(ample), least);
    uint64_t lowest = at_all_moments(s, lowest_between(s, least - SLOT_BYTES, ample, moment(s, 0)), ample);
    if (wanted / SLOT_BYTES > lowest / SLOT_BYTES && wanted < ample) { /* within a slot nothing differs */
        uint64_t sure = at_all_moments(s, wanted, ample);
        if (sure > wanted) lowest = sure;
    }
    return lowest;
}

/* ------------------------------------------------------------------ what may differ */

/* Once in UNLIKELY so many steps go beyond the highest peak by more than so many times their spread. */
static double likely_spreads(uint64_t steps) {
    double n = steps < 2 ? MOST_SPREADS : pow(UNLIKELY, 1 / (double)(steps - 1)) - 1;
    return n < MOST_SPREADS ? n : MOST_SPREADS;
}

/* Under a lower cap at least the spread itself once more: peaks need not be spread evenly. */
static double spreads(uint64_t steps) {
    double n = likely_spreads(steps);
    return n > 1 ? n : 1;
}

/* The highest peak that the rules that hold can serve under their cap, by the lowest one that was told of them. */
static double servable(const safe_facts *f) {
    const safe_told *told = &f->told;
    double cap = (double)f->counters.limit_bytes, lowest = (double)f->counters.lowest_safe_limit_bytes;
    double peak = (double)told->most + spreads(told->count) * (double)(told->most - told->least);
    return told->count == 0 || lowest <= peak ? cap : cap / lowest * peak;
}

/* Where the cap stays, steps larger than any before meet it under the rules that hold, too: those that these could not serve are
 * nothing to refuse others for, and a sixteenth is within what replaying tells of any. */
static double beyond(const safe_facts *f, const safe_range *r, bool lowered) {
    uint64_t count = f->step_count < GUARD_STEPS ? f->step_count : GUARD_STEPS;
    double spread = (double)(r->most - r->least);
    if (lowered) return spreads(count) * spread;
    double likely = fmin(likely_spreads(count), 1) * spread, held = servable(f) * 15 / 16 - (double)r->most;
    return fmin(fmax(likely, held), spread);
}

static void allow_for(safe_limit *l, const safe_facts *f, uint64_t peak) {
    uint64_t base = f->view.peak_allocated, most = 2 * (f->counters.total_bytes + f->inherited_bytes);
    double scaled = base > 0 ? (double)l->bytes * (double)peak / (double)base : (double)peak;
    uint64_t need = scaled < (double)most ? up_to_slot((uint64_t)scaled) : most;
    if (need <= l->bytes) return;
    l->spread_bytes += need - l->bytes;
    l->bytes = need;
    l->basis = LACUNA_SAFE_VARYING;
}

/* Steps of other sizes leave other holes: rules that take nothing from a segment that a block still uses, the stock policy's
 * and MindSpeed's, are given a segment more. */
static void allow_for_spread(safe_limit *l, const safe_facts *f, bool segments, bool lowered) {
    safe_range r = safe_peaks(f);
    if (r.most == r.least) return;
    double more = beyond(f, &r, lowered), most = 2 * (double)f->counters.total_bytes;
    l->basis = LACUNA_SAFE_VARYING;
    allow_for(l, f, r.most + (uint64_t)(more < most ? more : most));
    if (!segments) return;
    l->bytes += LARGE_SEGMENT;
    l->spread_bytes += LARGE_SEGMENT;
}

/* What is on the host comes back, or has no room there any more. */
static void allow_for_swapping(safe_limit *l, const safe_facts *f, const situation *now, const situation *wanted) {
    if (now->swap == LACUNA_SWAP_OFF) return;
    safe_range r = safe_peaks(f);
    uint64_t most_host = larger(r.most_host, f->counters.host_used_bytes), more = 0;
    if (wanted->swap == LACUNA_SWAP_OFF) {
        more = f->step_count > 0 ? r.most_everything - r.most : most_host;
    } else if (wanted->budget_bytes < most_host) {
        more = most_host - wanted->budget_bytes;
    }
    if (more == 0) return;
    more = up_to_slot(more + more / 16); /* rounding and splitting of what then stays */
    l->bytes += more;
    l->spread_bytes += more;
    if (l->basis == LACUNA_SAFE_REPLAYED) l->basis = LACUNA_SAFE_VARYING;
}

/* ------------------------------------------------------------------ all together */

/* Without two whole steps: what was reserved did. Another policy rounds in another way. */
static safe_limit without_steps(const safe_facts *f, bool other_policy) {
    uint64_t former = up_to_slot(f->former_everything + f->former_everything / 16);
    safe_limit l = {.bytes = larger(f->peak_reserved, former), .basis = LACUNA_SAFE_PEAK_RESERVED, .steps = f->step_count > 0};
    /* What the agent then cannot serve is asked of the framework's allocator, which has done so far. */
    if (other_policy && l.bytes > 0 && !f->framework_alone) l.bytes += LARGE_SEGMENT;
    return l;
}

/* What is left of a limit for the agent's own; the copy that rehearses has nothing else beside it. */
static uint64_t without_framework(const safe_facts *f, uint64_t limit) {
    if (limit == ANY_LIMIT) return limit;
    return limit > f->framework_bytes ? limit - f->framework_bytes : 0;
}

static uint32_t rounds_for(const window_view *v) {
    uint32_t rounds = (LEAST_STEPS + v->steps - 1) / v->steps;
    return 2 + (v->count > WINDOW_ENTRIES ? 1 : rounds); /* the first two end before the settings may hold */
}

/* Leaves what was reserved as the measure where the machine is too busy for even one trial; twice that under other rules, which
 * may need more. */
static void rehearse(safe_limit *l, const search *s, const situation *now, const situation *wanted) {
    const safe_facts *f = s->facts;
    uint64_t all = f->counters.total_bytes + f->inherited_bytes, ample = 0;
    enum outcome with_all = play_under(s, all, moment(s, 0), &ample);
    if (with_all == OUTCOME_UNKNOWN) {
        l->steps = f->view.steps;
        if (!situation_keeps_rules(now, wanted)) l->bytes += f->peak_reserved;
        return;
    }
    *l = (safe_limit){.basis = LACUNA_SAFE_REPLAYED, .steps = f->view.steps, .bytes = all + SLOT_BYTES};
    if (with_all == OUTCOME_SERVED) {
        bool lowered = wanted->limit_bytes < now->limit_bytes || wanted->limit_bytes == ANY_LIMIT;
        l->bytes = rehearsed(s, ample, without_framework(f, wanted->limit_bytes));
        allow_for_spread(l, f, !wanted->optimisation || wanted->policy == LACUNA_POOL_POLICY_LIFETIME, lowered);
    }
    if (l->spread_bytes > 0) l->bytes = at_all_moments(s, l->bytes, l->bytes); /* more is not always enough: pieces fall otherwise */
    l->bytes += f->framework_bytes;
}

safe_limit safe_work_out(const safe_facts *f, const situation *now, const situation *wanted, uint64_t deadline_ns) {
    safe_limit l = without_steps(f, !situation_keeps_rules(now, wanted));
    search s = {.facts = f, .optimisation = wanted->optimisation, .policy = wanted->policy, .deadline_ns = deadline_ns};
    if (!f->framework_alone && f->view.of != NULL && rehearsal_open(&s.played, &f->view)) {
        s.rounds = rounds_for(&f->view);
        rehearse(&l, &s, now, wanted);
    }
    rehearsal_close(&s.played);
    allow_for_swapping(&l, f, now, wanted);
    return l;
}
