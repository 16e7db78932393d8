#include "pool/accounts.h"

#include "pool/state.h"

/* ------------------------------------------------------------------ segments and splits */

void count_segments(lacuna_agent *a) {
    for (unsigned kind = 0; kind < 2; kind++) {
        gauge_set(&a->statistics.segments, kind, a->stock.segments[kind] + a->segregated.ranges[kind]->runs);
    }
}

void count_split_fallen(lacuna_agent *a) {
    gauge *split = &a->statistics.split_bytes;
    for (unsigned kind = 0; kind < 2; kind++) {
        split->kind[kind].fallen = split->kind[kind].risen - split_bytes(a, kind);
    }
}

/* ------------------------------------------------------------------ reserved memory */

static unsigned kind_of(uint8_t pool) {
    return pool & 1;
}

void count_grown(lacuna_agent *a, uint8_t pool, uint64_t offset, uint64_t bytes) {
    lacuna_device_counters *c = &a->counters;
    gauge *reserved = &a->statistics.reserved;
    c->reserved_bytes += bytes;
    c->pools[pool].reserved_bytes += bytes;
    if (c->reserved_bytes > c->peak_reserved_bytes) c->peak_reserved_bytes = c->reserved_bytes;
    if (c->reserved_bytes > a->step.peak_reserved_bytes) a->step.peak_reserved_bytes = c->reserved_bytes;
    if (c->reserved_bytes > a->named.peak_reserved_bytes) a->named.peak_reserved_bytes = c->reserved_bytes;
    gauge_set(reserved, kind_of(pool), account_now(&reserved->kind[kind_of(pool)]) + bytes);
    a->statistics.device_allocs++;
    count_segments(a);
    tell(a, LACUNA_EVENT_GROW, pool, 0, address_of(a, pool, offset), bytes);
}

static uint32_t at_most(uint64_t ns) { return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX; }

/* What stays at hand may go after all: then it costs both. */
void count_prices(lacuna_agent *a) {
    const device *d = a->device;
    a->counters.release_low_ns = at_most(price_low(d->kept.count > 0 ? &d->kept : &d->given));
    a->counters.release_high_ns = at_most(price_high(&d->given) + price_high(&d->kept));
    a->counters.finish_ns = at_most(price_high(&d->finish));
}

void count_released(lacuna_agent *a, uint8_t pool, uint64_t offset, uint64_t bytes) {
    gauge *reserved = &a->statistics.reserved;
    a->counters.reserved_bytes -= bytes;
    a->counters.pools[pool].reserved_bytes -= bytes;
    gauge_set(reserved, kind_of(pool), account_now(&reserved->kind[kind_of(pool)]) - bytes);
    a->statistics.device_frees++;
    count_prices(a);
    count_segments(a);
    tell(a, LACUNA_EVENT_RELEASE, pool, 0, address_of(a, pool, offset), bytes);
}

void count_moved(lacuna_agent *a, uint8_t from, uint64_t source, uint8_t to, uint64_t offset, uint64_t bytes) {
    a->counters.pools[from].reserved_bytes -= bytes;
    a->counters.pools[to].reserved_bytes += bytes;
    a->counters.remaps += bytes / SLOT_BYTES;
    if (kind_of(from) != kind_of(to)) gauge_shift(&a->statistics.reserved, kind_of(from), kind_of(to), bytes);
    count_segments(a);
    tell_move(a, to, address_of(a, from, source), address_of(a, to, offset), bytes);
}
