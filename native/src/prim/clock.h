/*
 * clock.h - CLOCK_MONOTONIC nanoseconds for event stamps, from the time-stamp counter where that can be trusted.
 *
 * Measured: 9 ns for the counter against 20 ns for clock_gettime, twice per tensor. The counter is scaled by a rate
 * that was observed against CLOCK_MONOTONIC, and anchored to it again at least once a second, so that stamps stay
 * within a millisecond of it (nanoseconds in practice) and never run backwards. Without an invariant counter, or when
 * it strays, every stamp is a clock_gettime.
 */
#ifndef LACUNA_CLOCK_H
#define LACUNA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/*
 * Invariants: while `span_ticks` > 0, a counter value in [anchor_ticks, anchor_ticks + span_ticks) means
 * anchor_ns + ticks * rate / 2^32. span_ticks = 0 means "ask the system": before the first rate is known, or for
 * good once `counter` is false.
 */
typedef struct event_clock {
    uint64_t anchor_ticks;
    uint64_t anchor_ns;
    uint64_t span_ticks;
    uint64_t rate; /* nanoseconds per tick, times 2^32 */
    uint64_t last_ns;
    uint64_t seen_ticks; /* counter and system clock, read together at the last anchor */
    uint64_t seen_ns;
    uint64_t next_span_ns;
    bool counter;
} event_clock;

void clock_start(event_clock *c);

/* CLOCK_MONOTONIC, asked of the system. */
uint64_t clock_system_ns(void);

/* The way off the fast path: no counter, no rate yet, or the anchor's span is over. */
uint64_t clock_slow_ns(event_clock *c);

static inline uint64_t clock_ticks(void) {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
}

/* Now; never less than the value returned before. One caller at a time. */
static inline uint64_t clock_ns(event_clock *c) {
    uint64_t ticks = clock_ticks() - c->anchor_ticks;
    if (__builtin_expect(ticks >= c->span_ticks, 0)) return clock_slow_ns(c);
    /* In two halves, so that no product passes 64 bits: a span is a second at most. */
    uint64_t whole = (ticks >> 32) * c->rate, part = ((ticks & UINT64_C(0xffffffff)) * c->rate) >> 32;
    uint64_t now = c->anchor_ns + whole + part;
    if (now < c->last_ns) now = c->last_ns;
    return c->last_ns = now;
}

#endif
