#include "pool/chunk.h"

#include "pool/accounts.h"
#include "pool/state.h"
#include "prim/bits.h"
#include "prim/pages.h"

uint64_t chunks_missing(const chunks *c, uint8_t pool, uint64_t first, uint64_t last) {
    return last - first + 1 - bits_count(c->mapped[pool], first, last);
}

static uint64_t lowest_run(chunks *c, uint8_t pool, uint64_t count) {
    uint64_t lowest = bits_next(c->mapped[pool], c->lowest_unmapped[pool], c->slots, false);
    c->lowest_unmapped[pool] = lowest;
    return bits_clear_run(c->mapped[pool], lowest, c->slots, count);
}

bool chunks_take_run(lacuna_agent *a, uint8_t pool, uint64_t count, enum run_place place, uint64_t *first) {
    chunks *c = &a->chunks;
    if (count * SLOT_BYTES > room(a)) return false;
    bool beyond = place == RUN_UNUSED && count <= c->slots - c->unused[pool];
    uint64_t at = beyond ? c->unused[pool] : lowest_run(c, pool, count);
    const device_ops *ops = a->device->ops;
    bool (*map)(device *d, uint64_t offset, uint64_t bytes) = ops->map_whole != NULL ? ops->map_whole : ops->map;
    if (at == c->slots || !map(a->device, range_of(a, pool) + at * SLOT_BYTES, count * SLOT_BYTES)) return false;
    chunks_adopt_run(a, pool, at, count);
    *first = at;
    return true;
}

void chunks_adopt_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count) {
    bits_set_range(a->chunks.mapped[pool], first, first + count - 1);
    if (first + count > a->chunks.unused[pool]) a->chunks.unused[pool] = first + count;
    a->counters.segments++;
    a->stock.segments[pool]++;
    count_grown(a, pool, first * SLOT_BYTES, count * SLOT_BYTES);
}

bool chunks_give_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count, uint64_t left) {
    if (!fence_settle(a, pool, first, count)) return false;
    if (!a->device->ops->release(a->device, range_of(a, pool) + first * SLOT_BYTES, count * SLOT_BYTES)) return false;
    bits_clear_range(a->chunks.mapped[pool], first, first + count - 1);
    if (first < a->chunks.lowest_unmapped[pool]) a->chunks.lowest_unmapped[pool] = first;
    a->counters.segments += left - 1;
    a->stock.segments[pool] += left - 1;
    count_released(a, pool, first * SLOT_BYTES, count * SLOT_BYTES);
    return true;
}

/* ------------------------------------------------------------------ opening and closing */

bool chunks_open(chunks *c, uint64_t slots) {
    c->slots = slots;
    for (uint8_t p = 0; p < STOCK_POOLS; p++) {
        c->mapped[p] = pages_take(bits_bytes(slots));
        if (c->mapped[p] == NULL) return false;
    }
    return slots > 0;
}

void chunks_close(chunks *c) {
    for (uint8_t p = 0; p < STOCK_POOLS; p++) pages_give(c->mapped[p], bits_bytes(c->slots));
}
