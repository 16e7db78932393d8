#include "pool/statistics.h"

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t live_now(const statistics *t, int kind, enum statistic_what what) {
    return t->live[kind][what].current;
}

static uint64_t active_blocks(const statistics *t, int kind) {
    return live_now(t, kind, STATISTIC_BLOCKS) + t->pending_blocks[kind];
}

static uint64_t active_bytes(const statistics *t, int kind) {
    return live_now(t, kind, STATISTIC_BYTES) + t->pending_bytes[kind];
}

void statistics_peak_active(statistics *t) {
    uint64_t blocks[3] = {active_blocks(t, 0) + active_blocks(t, 1), active_blocks(t, 0), active_blocks(t, 1)};
    uint64_t bytes[3] = {active_bytes(t, 0) + active_bytes(t, 1), active_bytes(t, 0), active_bytes(t, 1)};
    for (int i = 0; i < 3; i++) {
        t->peak_active_blocks[i] = larger(t->peak_active_blocks[i], blocks[i]);
        t->peak_active_bytes[i] = larger(t->peak_active_bytes[i], bytes[i]);
    }
}

/* ------------------------------------------------------------------ telling */

/* All, small, large. */
static void tell_three(lacuna_statistic out[3], lacuna_statistic small, lacuna_statistic large, uint64_t peak) {
    out[0] = (lacuna_statistic){small.current + large.current, peak, small.allocated + large.allocated};
    out[1] = small;
    out[2] = large;
}

static lacuna_statistic told(const account *x) {
    return (lacuna_statistic){account_now(x), x->peak, x->risen};
}

static void tell_gauge(lacuna_statistic out[3], const gauge *g) {
    tell_three(out, told(&g->kind[0]), told(&g->kind[1]), g->peak);
    out[0].allocated -= g->shifted;
}

/* Active: what is live, and what is pending on top of it. Everything active was allocated once. */
static void tell_active(lacuna_statistic out[3], const lacuna_statistic live[3], const uint64_t pending[2],
                        const uint64_t peaks[3]) {
    const uint64_t more[3] = {pending[0] + pending[1], pending[0], pending[1]};
    for (int i = 0; i < 3; i++) {
        out[i] = (lacuna_statistic){live[i].current + more[i], larger(peaks[i], live[i].peak), live[i].allocated};
    }
}

void statistics_tell(const statistics *t, const lacuna_device_counters *c, lacuna_statistic out[LACUNA_STATISTICS]) {
    const uint64_t peaks[STATISTIC_COUNT] = {t->peak_blocks, c->peak_allocated_bytes, t->peak_requested};
    for (int what = 0; what < STATISTIC_COUNT; what++) {
        tell_three(&out[3 * what], t->live[0][what], t->live[1][what], peaks[what]);
    }
    tell_active(&out[9], &out[3 * STATISTIC_BLOCKS], t->pending_blocks, t->peak_active_blocks);
    tell_active(&out[12], &out[3 * STATISTIC_BYTES], t->pending_bytes, t->peak_active_bytes);
    tell_gauge(&out[15], &t->segments);
    tell_gauge(&out[18], &t->reserved);
    tell_gauge(&out[21], &t->split_blocks);
    tell_gauge(&out[24], &t->split_bytes);
}

/* ------------------------------------------------------------------ peaks */

static void reset_gauge(gauge *g) {
    for (int kind = 0; kind < 2; kind++) g->kind[kind].peak = account_now(&g->kind[kind]);
    g->peak = g->kind[0].peak + g->kind[1].peak;
}

void statistics_reset_peaks(statistics *t) {
    for (int kind = 0; kind < 2; kind++) {
        for (int what = 0; what < STATISTIC_COUNT; what++) t->live[kind][what].peak = t->live[kind][what].current;
    }
    t->peak_blocks = t->live[0][STATISTIC_BLOCKS].peak + t->live[1][STATISTIC_BLOCKS].peak;
    t->peak_requested = t->live[0][STATISTIC_REQUESTED].peak + t->live[1][STATISTIC_REQUESTED].peak;
    for (int i = 0; i < 3; i++) t->peak_active_blocks[i] = t->peak_active_bytes[i] = 0;
    statistics_peak_active(t);
    reset_gauge(&t->segments);
    reset_gauge(&t->reserved);
    reset_gauge(&t->split_blocks);
    reset_gauge(&t->split_bytes);
}
