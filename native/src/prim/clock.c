#include "prim/clock.h"

#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* The first rate is taken over this long: two readings of ±50 ns each then leave 5 millionths. */
#define FIRST_SPAN_NS UINT64_C(20000000)
#define LONGEST_SPAN_NS UINT64_C(1000000000)
/* A counter that is further off than this was stopped, moved to another host or is not in step between processors. */
#define TOLERATED_NS UINT64_C(500000)

uint64_t clock_system_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)

static bool counter_is_invariant(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
}

#else

static bool counter_is_invariant(void) { return false; }

#endif

/* Reads both clocks as close together as a few tries allow: being descheduled in between would bend the rate. */
static void read_both(uint64_t *ticks, uint64_t *ns) {
    enum { TRIES = 4 };
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock_ticks();
        uint64_t now = clock_system_ns();
        uint64_t width = clock_ticks() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        *ticks = before + width / 2;
        *ns = now;
    }
}

void clock_start(event_clock *c) {
    *c = (event_clock){.counter = counter_is_invariant(), .next_span_ns = FIRST_SPAN_NS};
    if (c->counter) read_both(&c->seen_ticks, &c->seen_ns);
}

/*
 * Takes the rate since the last anchor and lays a new one. When the stamps given out are ahead of the system clock
 * they are kept, and the rate is lowered so that the lead is gone by the end of the next span.
 */
static void anchor(event_clock *c, uint64_t ticks, uint64_t ns) {
    uint64_t tick_span = ticks - c->seen_ticks;
    uint64_t ns_span = ns - c->seen_ns;
    uint64_t rate = (uint64_t)((double)ns_span / (double)tick_span * 4294967296.0);
    uint64_t span_ns = c->next_span_ns;
    uint64_t lead = c->last_ns > ns ? c->last_ns - ns : 0;
    c->seen_ticks = ticks;
    c->seen_ns = ns;
    if (rate == 0 || tick_span >> 62 || lead > TOLERATED_NS) {
        c->counter = false;
        c->span_ticks = 0;
        return;
    }
    c->anchor_ticks = ticks;
    c->anchor_ns = ns + lead;
    c->span_ticks = (uint64_t)((double)span_ns / (double)rate * 4294967296.0);
    c->rate = lead ? (uint64_t)((double)rate * (1.0 - (double)lead / (double)span_ns)) : rate;
    c->next_span_ns = span_ns * 2 < LONGEST_SPAN_NS ? span_ns * 2 : LONGEST_SPAN_NS;
}

uint64_t clock_slow_ns(event_clock *c) {
    uint64_t now = 0; /* a compiler that sees all of it cannot tell that each way reads the clock */
    if (!c->counter) {
        now = clock_system_ns();
    } else if (c->span_ticks == 0) {
        now = clock_system_ns();
        if (now - c->seen_ns >= FIRST_SPAN_NS) {
            uint64_t ticks = 0;
            read_both(&ticks, &now);
            anchor(c, ticks, now);
        }
    } else {
        uint64_t ticks = 0;
        read_both(&ticks, &now);
        anchor(c, ticks, now);
    }
    if (now < c->last_ns) now = c->last_ns;
    return c->last_ns = now;
}
