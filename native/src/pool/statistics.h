/*
 * statistics.h - what PyTorch counts beyond the counters of lacuna.h: per kind of pool, with peaks and sums.
 */
#ifndef LACUNA_STATISTICS_H
#define LACUNA_STATISTICS_H

#include "lacuna.h"

enum statistic_what { STATISTIC_BLOCKS, STATISTIC_BYTES, STATISTIC_REQUESTED, STATISTIC_COUNT };

/* A figure by the sums of its rises and falls: what is there now is the difference. */
typedef struct account {
    uint64_t risen, fallen, peak;
} account;

/* A figure of both kinds of pool: 0 small, 1 large. `shifted` went from one kind to the other, which for all is nothing. */
typedef struct gauge {
    account kind[2];
    uint64_t peak; /* of both together */
    uint64_t shifted;
} gauge;

/*
 * Invariants: live[k][w].current is of the live blocks in pools of kind k (0 small, 1 large); with pending, of the active ones.
 * Active exceeds live only while something is pending, so its peaks are kept only then and are otherwise those of live.
 */
typedef struct statistics {
    lacuna_statistic live[2][STATISTIC_COUNT];
    uint64_t peak_blocks, peak_requested; /* over both kinds; peak allocated is a counter */
    uint64_t pending_blocks[2], pending_bytes[2];
    gauge split_bytes, split_blocks, reserved, segments; /* split_bytes: what has fallen is known when it is told */
    uint64_t peak_active_blocks[3], peak_active_bytes[3]; /* all, small, large */
    uint64_t device_allocs, device_frees, unnoted_uses;
} statistics;

/* ------------------------------------------------------------------ accounts and gauges */

static inline uint64_t account_now(const account *x) {
    return x->risen - x->fallen;
}

static inline void account_rise(account *x, uint64_t n) {
    x->risen += n;
    if (account_now(x) > x->peak) x->peak = account_now(x);
}

static inline void gauge_change(gauge *g, unsigned kind, uint64_t more) {
    account *mine = &g->kind[kind];
    if (more >> 63) { /* fewer */
        mine->fallen -= more;
        return;
    }
    account_rise(mine, more);
    uint64_t both = account_now(mine) + account_now(&g->kind[kind ^ 1]);
    if (both > g->peak) g->peak = both;
}

static inline void gauge_set(gauge *g, unsigned kind, uint64_t now) {
    gauge_change(g, kind, now - account_now(&g->kind[kind]));
}

static inline void gauge_shift(gauge *g, unsigned from, unsigned to, uint64_t n) {
    g->kind[from].fallen += n;
    account_rise(&g->kind[to], n);
    g->shifted += n;
}

/* ------------------------------------------------------------------ blocks */

static inline void statistics_add(lacuna_statistic *s, uint64_t n) {
    s->current += n;
    s->allocated += n;
    if (s->current > s->peak) s->peak = s->current;
}

/* Takes the present as the peak of what is active where it is higher. */
void statistics_peak_active(statistics *t);

/* A block came alive; `blocks` and `requested` count it already, over both kinds. */
static inline void statistics_allocated(statistics *t, unsigned kind, uint64_t size, uint64_t bytes, uint64_t blocks,
                                   uint64_t requested) {
    statistics_add(&t->live[kind][STATISTIC_BLOCKS], 1);
    statistics_add(&t->live[kind][STATISTIC_BYTES], size);
    statistics_add(&t->live[kind][STATISTIC_REQUESTED], bytes);
    if (blocks > t->peak_blocks) t->peak_blocks = blocks;
    if (requested > t->peak_requested) t->peak_requested = requested;
    if (__builtin_expect((t->pending_blocks[0] | t->pending_blocks[1]) != 0, 0)) statistics_peak_active(t);
}

static inline void statistics_freed(statistics *t, unsigned kind, uint64_t size, uint64_t bytes) {
    t->live[kind][STATISTIC_BLOCKS].current--;
    t->live[kind][STATISTIC_BYTES].current -= size;
    t->live[kind][STATISTIC_REQUESTED].current -= bytes;
}

/* A freed block is pending from now on, or no longer. */
static inline void statistics_pending(statistics *t, unsigned kind, uint64_t size) {
    t->pending_blocks[kind]++;
    t->pending_bytes[kind] += size;
    statistics_peak_active(t);
}

static inline void statistics_completed(statistics *t, unsigned kind, uint64_t size) {
    t->pending_blocks[kind]--;
    t->pending_bytes[kind] -= size;
}

/* ------------------------------------------------------------------ telling */

/* All figures, in the order of lacuna_report. */
void statistics_tell(const statistics *t, const lacuna_device_counters *c, lacuna_statistic out[LACUNA_STATISTICS]);

/* Peaks start again from what holds now. */
void statistics_reset_peaks(statistics *t);

#endif
