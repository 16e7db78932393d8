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

/*
 * Invariants: while `span_ticks` > 0, a counter value in [anchor_ticks, anchor_ticks + span_ticks) means
 * anchor_ns + (ticks << 32 scaled by rate); span_ticks * rate < 2^64. span_ticks = 0 means "ask the system":
 * before the first rate is known, or for good once `counter` is false.
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

/* Now; never less than the value returned before. One caller at a time. */
uint64_t clock_ns(event_clock *c);

/* CLOCK_MONOTONIC, asked of the system. */
uint64_t clock_system_ns(void);

#endif
