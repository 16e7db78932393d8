#include "chunk.h"

#include "bits.h"
#include "pages.h"
#include "state.h"

/* ------------------------------------------------------------------ names of slots */

static chunk_ref ref_of(const chunks *c, uint8_t pool, uint64_t slot) {
    return (chunk_ref)((pool - LACUNA_POOL_SHORT_SMALL) * c->slots + slot + 1);
}

static uint8_t pool_of(const chunks *c, chunk_ref ref) {
    return (uint8_t)((ref - 1) / c->slots + LACUNA_POOL_SHORT_SMALL);
}

static uint64_t slot_of(const chunks *c, chunk_ref ref) {
    return (ref - 1) % c->slots;
}

static uint64_t device_offset(const lacuna_agent *a, uint8_t pool, uint64_t slot) {
    return range_of(a, pool) + slot * SLOT_BYTES;
}

uint64_t chunks_missing(const chunks *c, uint8_t pool, uint64_t first, uint64_t last) {
    if (first == last) return !bits_get(c->mapped[pool], first);
    return last - first + 1 - bits_count(c->mapped[pool], first, last);
}

/* ------------------------------------------------------------------ the queue of idle chunks */

static void enqueue(chunks *c, uint8_t pool, uint64_t slot) {
    chunk_ref ref = ref_of(c, pool, slot);
    c->links[ref] = (chunk_link){.older = c->newest, .newer = 0};
    *(c->newest != 0 ? &c->links[c->newest].newer : &c->oldest) = ref;
    c->newest = ref;
    bits_set(c->idle[pool], slot);
    c->idle_count++;
}

static void dequeue(chunks *c, uint8_t pool, uint64_t slot) {
    chunk_link link = c->links[ref_of(c, pool, slot)];
    *(link.older != 0 ? &c->links[link.older].newer : &c->oldest) = link.newer;
    *(link.newer != 0 ? &c->links[link.newer].older : &c->newest) = link.older;
    bits_clear(c->idle[pool], slot);
    c->idle_count--;
}

static void count_idle(lacuna_agent *a, uint64_t before) {
    a->counters.releasable_bytes += (a->chunks.idle_count - before) * SLOT_BYTES;
}

/* Separate runs of mapped slots that appear when first … last become mapped. They vanish when they go. */
static uint64_t runs_joined(const chunks *c, uint8_t pool, uint64_t first, uint64_t last) {
    if (is_stock(pool)) return 0; /* segments are counted there */
    bool below = first > 0 && bits_get(c->mapped[pool], first - 1);
    bool above = last + 1 < c->slots && bits_get(c->mapped[pool], last + 1);
    return UINT64_C(1) - below - above;
}

static void mark_mapped(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last) {
    chunks *c = &a->chunks;
    a->counters.segments += runs_joined(c, pool, first, last);
    bits_set_range(c->mapped[pool], first, last);
}

static void mark_unmapped(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last) {
    chunks *c = &a->chunks;
    bits_clear_range(c->mapped[pool], first, last);
    a->counters.segments -= runs_joined(c, pool, first, last);
    if (first < c->lowest_unmapped[pool]) c->lowest_unmapped[pool] = first;
}

/* ------------------------------------------------------------------ filling a position */

/* The oldest idle chunk from `ref` on that does not lie at the position itself. */
static chunk_ref next_victim(lacuna_agent *a, chunk_ref ref, uint8_t pool, uint64_t first, uint64_t last,
                             bool settled_only) {
    const chunks *c = &a->chunks;
    for (; ref != 0; ref = c->links[ref].newer) {
        uint64_t slot = slot_of(c, ref);
        uint8_t home = pool_of(c, ref);
        if (home == pool && slot >= first && slot <= last) continue;
        if (settled_only && !fence_is_settled(a, home, slot)) continue;
        return ref;
    }
    return 0;
}

/* Slots that become wholly mapped at a destination are idle until the block that they are for claims them. */
static void arrive(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count) {
    mark_mapped(a, pool, first, first + count - 1);
    for (uint64_t s = first; s < first + count; s++) enqueue(&a->chunks, pool, s);
}

/* Moves `count` adjacent idle chunks; false when the device refuses, with what was moved by then moved. */
static bool move_run(lacuna_agent *a, uint8_t from, uint64_t source, uint8_t to, uint64_t target, uint64_t count) {
    chunks *c = &a->chunks;
    device *d = a->device;
    uint64_t bytes = count * SLOT_BYTES;
    uint64_t source_at = device_offset(a, from, source), target_at = device_offset(a, to, target);
    if (!fence_settle(a, from, source, count)) return false;
    bool moved = d->ops->move(d, source_at, target_at, bytes);
    if (!moved && count > 1) { /* the run may lie in several mappings, each of which moves by itself */
        bool all = true; /* each is tried: a device that failed half-way may have lost what one of them held */
        for (uint64_t i = 0; i < count; i++) all &= move_run(a, from, source + i, to, target + i, 1);
        return all;
    }
    if (!moved && !d->ops->release(d, source_at, bytes)) return false;
    for (uint64_t i = 0; i < count; i++) dequeue(c, from, source + i);
    mark_unmapped(a, from, source, source + count - 1);
    if (!moved && !d->ops->map(d, target_at, bytes)) {
        count_released(a, from, source * SLOT_BYTES, bytes);
        return false;
    }
    a->counters.pools[from].reserved_bytes -= bytes;
    a->counters.pools[to].reserved_bytes += bytes;
    a->counters.remaps += count;
    arrive(a, to, target, count);
    tell(a, LACUNA_EVENT_REMAP, to, 0, address_of(a, to, target * SLOT_BYTES), bytes);
    return true;
}

static bool grow_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count) {
    device *d = a->device;
    if (!d->ops->map(d, device_offset(a, pool, first), count * SLOT_BYTES)) return false;
    arrive(a, pool, first, count);
    count_grown(a, pool, first * SLOT_BYTES, count * SLOT_BYTES);
    return true;
}

/*
 * Fills the first `steal` unmapped slots of first … last with idle chunks, oldest first; *at is left at the first one
 * that is still unmapped. Runs that are adjacent at both ends move in one call.
 */
static bool steal_chunks(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last, uint64_t steal,
                         bool settled_only) {
    chunks *c = &a->chunks;
    uint64_t at = first;
    while (steal > 0) {
        at = bits_next(c->mapped[pool], at, last + 1, false);
        chunk_ref victim = next_victim(a, c->oldest, pool, first, last, settled_only);
        if (victim == 0) return false;
        uint8_t from = pool_of(c, victim);
        uint64_t source = slot_of(c, victim), run = 1;
        for (chunk_ref next = victim; run < steal && at + run <= last && !bits_get(c->mapped[pool], at + run); run++) {
            next = next_victim(a, c->links[next].newer, pool, first, last, settled_only);
            if (next == 0 || pool_of(c, next) != from || slot_of(c, next) != source + run) break;
        }
        if (!move_run(a, from, source, pool, at, run)) return false;
        steal -= run;
    }
    return true;
}

/* Whether `count` idle chunks may leave now, the position's own aside. */
static bool enough_settled(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last, uint64_t count) {
    if (!a->fence.active) return true;
    chunk_ref ref = a->chunks.oldest;
    for (; count > 0; count--) {
        ref = next_victim(a, ref, pool, first, last, true);
        if (ref == 0) return false;
        ref = a->chunks.links[ref].newer;
    }
    return true;
}

enum chunk_fill chunks_fill(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last, uint64_t need,
                            bool may_grow) {
    chunks *c = &a->chunks;
    uint64_t take = may_grow ? room(a) / SLOT_BYTES : 0;
    if (take > need) take = need;
    uint64_t steal = need - take, before = c->idle_count;
    enum chunk_fill result = CHUNKS_FILLED;
    if (steal > 0) {
        uint64_t own = bits_count(c->idle[pool], first, last);
        if (c->idle_count - own < steal) return CHUNKS_SHORT;
        /* A chunk whose streams are still at work is waited for only when the alternative is out-of-memory. */
        bool settled = enough_settled(a, pool, first, last, steal);
        if (!settled && !a->fence.patient) return CHUNKS_SHORT;
        if (!steal_chunks(a, pool, first, last, steal, settled)) result = CHUNKS_REFUSED;
    }
    uint64_t at = first;
    while (result == CHUNKS_FILLED && (at = bits_next(c->mapped[pool], at, last + 1, false)) <= last) {
        uint64_t end = bits_next(c->mapped[pool], at, last + 1, true);
        if (!grow_run(a, pool, at, end - at)) result = CHUNKS_REFUSED;
    }
    count_idle(a, before);
    return result;
}

/* ------------------------------------------------------------------ coming into use and going out of it */

void chunks_claim(chunks *c, uint8_t pool, uint64_t first, uint64_t last) {
    uint64_t at = first;
    while ((at = bits_next(c->idle[pool], at, last + 1, true)) <= last) dequeue(c, pool, at);
}

/* Unmaps idle chunks; false when the device refuses, and they stay. */
static bool release_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count) {
    device *d = a->device;
    if (!fence_settle(a, pool, first, count)) return false;
    if (!d->ops->release(d, device_offset(a, pool, first), count * SLOT_BYTES)) return false;
    for (uint64_t s = first; s < first + count; s++) dequeue(&a->chunks, pool, s);
    mark_unmapped(a, pool, first, first + count - 1);
    count_released(a, pool, first * SLOT_BYTES, count * SLOT_BYTES);
    return true;
}

void chunks_abandon(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last) {
    chunks *c = &a->chunks;
    uint64_t before = c->idle_count;
    for (uint64_t s = first; s <= last; s++) enqueue(c, pool, s);
    fence_idle(a, pool, first, last);
    if (drains(a, pool)) {
        uint64_t go = last - first + 1;
        if (optimised(a)) { /* only down to the limit */
            uint64_t excess = a->counters.reserved_bytes - a->counters.limit_bytes;
            uint64_t enough = (excess + SLOT_BYTES - 1) / SLOT_BYTES;
            if (enough < go) go = enough;
        }
        release_run(a, pool, first, go);
    }
    count_idle(a, before);
}

void chunks_release_idle(lacuna_agent *a, uint64_t target) {
    chunks *c = &a->chunks;
    uint64_t before = c->idle_count;
    chunk_ref ref = c->oldest;
    while (ref != 0 && a->counters.reserved_bytes > target) {
        uint8_t pool = pool_of(c, ref);
        uint64_t first = slot_of(c, ref), count = 1;
        uint64_t most = (a->counters.reserved_bytes - target + SLOT_BYTES - 1) / SLOT_BYTES;
        chunk_ref next = c->links[ref].newer;
        while (count < most && next == ref + count && slot_of(c, next) == first + count) {
            next = c->links[next].newer;
            count++;
        }
        release_run(a, pool, first, count); /* a run that the device keeps is passed over */
        ref = next;
    }
    count_idle(a, before);
}

/* ------------------------------------------------------------------ whole segments of the stock pools */

bool chunks_take_run(lacuna_agent *a, uint8_t pool, uint64_t count, uint64_t *first) {
    chunks *c = &a->chunks;
    if (count * SLOT_BYTES > room(a)) return false;
    uint64_t lowest = bits_next(c->mapped[pool], c->lowest_unmapped[pool], c->slots, false);
    c->lowest_unmapped[pool] = lowest;
    uint64_t at = bits_clear_run(c->mapped[pool], lowest, c->slots, count);
    const device_ops *ops = a->device->ops;
    bool (*map)(device *d, uint64_t offset, uint64_t bytes) = ops->map_whole != NULL ? ops->map_whole : ops->map;
    if (at == c->slots || !map(a->device, device_offset(a, pool, at), count * SLOT_BYTES)) return false;
    mark_mapped(a, pool, at, at + count - 1);
    a->counters.segments++;
    count_grown(a, pool, at * SLOT_BYTES, count * SLOT_BYTES);
    *first = at;
    return true;
}

bool chunks_give_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count) {
    if (!fence_settle(a, pool, first, count)) return false;
    if (!a->device->ops->release(a->device, device_offset(a, pool, first), count * SLOT_BYTES)) return false;
    mark_unmapped(a, pool, first, first + count - 1);
    a->counters.segments--;
    count_released(a, pool, first * SLOT_BYTES, count * SLOT_BYTES);
    return true;
}

/* ------------------------------------------------------------------ opening and closing */

static size_t bitmap_bytes(uint64_t slots) {
    return (slots + 63) / 64 * sizeof(uint64_t);
}

static size_t link_bytes(uint64_t slots) {
    return (SEGREGATED_POOLS * slots + 1) * sizeof(chunk_link);
}

bool chunks_open(chunks *c, uint64_t slots) {
    if (slots == 0 || slots > (UINT32_MAX - 1) / SEGREGATED_POOLS) return false;
    c->slots = slots;
    bool complete = (c->links = pages_take(link_bytes(slots))) != NULL;
    for (uint8_t p = 0; p < LACUNA_POOL_COUNT && complete; p++) {
        c->mapped[p] = pages_take(bitmap_bytes(slots));
        c->idle[p] = pages_take(bitmap_bytes(slots));
        complete = c->mapped[p] != NULL && c->idle[p] != NULL;
    }
    return complete;
}

void chunks_close(chunks *c) {
    pages_give(c->links, link_bytes(c->slots));
    for (uint8_t p = 0; p < LACUNA_POOL_COUNT; p++) {
        pages_give(c->mapped[p], bitmap_bytes(c->slots));
        pages_give(c->idle[p], bitmap_bytes(c->slots));
    }
}
