/*
 * validity.c - the invariants of every struct, checked from scratch. Compiled into debug builds only.
 */
#include "agent/agent.h"
#include "pool/state.h"
#include "prim/bits.h"
#include "swap/swap.h"

#ifdef LACUNA_CHECK

#include <stdio.h>

#define HOLDS(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: broken invariant: %s\n", __FILE__, __LINE__, #condition); \
            return false;                                                                   \
        }                                                                                   \
    } while (0)

/* What was met on the way, to be compared with the counters. */
typedef struct tally {
    uint64_t free_blocks, holes, live_blocks, pending_blocks, segments, runs, stream_uses, young;
    uint64_t allocated[LACUNA_POOL_COUNT], held[LACUNA_POOL_COUNT], requested, pending_bytes, releasable, split[2], cache[SIDES];
} tally;

/* ------------------------------------------------------------------ one block, one order */

static bool block_is_valid(const lacuna_agent *a, const block *b, tally *t) {
    HOLDS(b->size > 0 && b->size % UNIT_BYTES == 0);
    HOLDS(b->above == NULL || (b->above->below == b && b->above->offset == block_end(b)));
    HOLDS(b->above == NULL || b->state != b->above->state || !is_open_ground(b));
    HOLDS(block_end(b) <= a->range_bytes);
    HOLDS(b->state == BLOCK_LIVE || b->lent == 0);
    if (b->state == BLOCK_FREE) {
        bool whole = b->segment != NULL && b->size == b->segment->bytes, in_parts = b->segment == NULL || a->stock.divisible;
        t->free_blocks++;
        if (whole || in_parts) t->cache[side_of(b)] += whole ? b->size : whole_slots(b->offset, block_end(b)) * SLOT_BYTES;
        if (b->segment == NULL) t->split[b->pool & 1] += b->offset % SLOT_BYTES != 0 || block_end(b) % SLOT_BYTES != 0;
        if (b->segment != NULL) t->split[b->pool] += b->size != b->segment->bytes;
        return true;
    }
    if (b->state == BLOCK_HOLE) {
        HOLDS(!is_stock(b->pool) && b->offset % SLOT_BYTES == 0 && b->size % SLOT_BYTES == 0);
        t->holes++;
        return true;
    }
    if (is_stock(b->pool)) {
        HOLDS(chunks_missing(&a->chunks, b->pool, first_slot(b->offset), last_slot(b->offset, b->size)) == 0);
    }
    const stream_use *noted = pending_on_every_stream(b) ? NULL : b->live.uses;
    for (const stream_use *u = noted; u != NULL; u = u->next) t->stream_uses++;
    t->held[b->pool] += b->size;
    if (b->state == BLOCK_PENDING) {
        HOLDS(!b->young);
        t->pending_blocks++;
        t->pending_bytes += b->size;
        return true;
    }
    HOLDS(b->state == BLOCK_LIVE);
    HOLDS(table_find(&a->live, address_of(a, b->pool, b->offset)) == b);
    HOLDS(b->live.requested > 0 && b->live.requested <= b->size);
    t->live_blocks++;
    t->young += b->young;
    t->allocated[b->pool] += b->size;
    t->requested += b->live.requested;
    return true;
}

static bool treap_is_valid(const block *root, uint64_t *count) {
    if (root == NULL) return true;
    ++*count;
    HOLDS(root->free.left == NULL || root->free.left->priority <= root->priority);
    HOLDS(root->free.right == NULL || root->free.right->priority <= root->priority);
    return treap_is_valid(root->free.left, count) && treap_is_valid(root->free.right, count);
}

static bool order_is_valid(const order *o, uint8_t state, uint64_t *blocks) {
    const block *before = NULL;
    uint64_t walked = 0, held = 0;
    for (const block *b = order_first(o); b != NULL; before = b, b = order_next(o, b)) {
        HOLDS(b->state == state && order_previous(o, b) == before);
        HOLDS(before == NULL || before->size < b->size || (before->size == b->size && before->offset < b->offset));
        HOLDS(order_at_least(o, b->size)->size == b->size);
        walked++;
    }
    for (uint64_t i = 0; i < ORDER_BINS; i++) {
        HOLDS(bits_get(o->occupied, i) == (o->bins[i].root != NULL));
        HOLDS((o->bins[i].first != NULL) == (o->bins[i].root != NULL));
        HOLDS(treap_is_valid(o->bins[i].root, &held));
    }
    HOLDS(walked == held && order_last(o) == before);
    *blocks += held;
    return true;
}

/* ------------------------------------------------------------------ the two policies' pools */

static bool range_is_valid(const lacuna_agent *a, const range *r, tally *t) {
    uint64_t pieces = t->free_blocks, holes = t->holes, ordered = 0, idle = 0, mapped = 0;
    const block *lowest = r->top;
    HOLDS(r->top->above == NULL && block_end(r->top) == a->range_bytes && r->bytes == a->range_bytes);
    for (const block *b = r->top; b != NULL; lowest = b, b = b->below) {
        HOLDS(home_of(b->pool) == r->pool && b->segment == NULL);
        HOLDS(!is_open_ground(b) || b->pool == r->pool);
        if (!block_is_valid(a, b, t)) return false;
        if (b->state == BLOCK_FREE) idle += whole_slots(b->offset, block_end(b));
        if (b->state == BLOCK_HOLE) continue;
        /* A run of mapped slots ends here, and begins where no block lies below or a hole does. */
        t->runs += b->below == NULL || b->below->state == BLOCK_HOLE;
        mapped += b->size;
    }
    HOLDS(lowest->offset == 0);
    HOLDS(idle == r->idle_slots && mapped == r->mapped_slots * SLOT_BYTES);
    t->releasable += idle * SLOT_BYTES;
    if (!order_is_valid(&r->pieces, BLOCK_FREE, &ordered)) return false;
    HOLDS(ordered == t->free_blocks - pieces);
    ordered = 0;
    if (!order_is_valid(&r->holes, BLOCK_HOLE, &ordered)) return false;
    HOLDS(ordered == t->holes - holes);
    uint8_t kept_long = (uint8_t)(r->pool - LACUNA_POOL_SHORT_SMALL + LACUNA_POOL_LONG_SMALL);
    HOLDS(a->counters.pools[kept_long].reserved_bytes == t->held[kept_long]);
    HOLDS(a->counters.pools[r->pool].reserved_bytes == mapped - t->held[kept_long]);
    return true;
}

/* The segment whose lowest block this is. */
static bool segment_is_valid(const lacuna_agent *a, const block *lowest, tally *t) {
    const segment *home = lowest->segment;
    HOLDS(lowest->offset == home->offset);
    t->segments++;
    if (lowest->state == BLOCK_FREE && lowest->size == home->bytes) t->releasable += home->bytes;
    uint64_t end = home->offset;
    for (const block *b = lowest; b != NULL; b = b->above) {
        HOLDS(b->segment == home && b->pool == lowest->pool && b->offset == end);
        if (!block_is_valid(a, b, t)) return false;
        end = block_end(b);
    }
    HOLDS(end == home->offset + home->bytes);
    uint64_t first = home->offset / SLOT_BYTES;
    HOLDS(chunks_missing(&a->chunks, lowest->pool, first, first + home->bytes / SLOT_BYTES - 1) == 0);
    return true;
}

static bool stock_is_valid(const lacuna_agent *a, tally *t) {
    tally before = *t;
    uint64_t shelved = 0, live = 0, pending_blocks = 0;
    for (uint8_t keeper = 0; keeper < LACUNA_POOL_COUNT; keeper++) {
        for (const shelf *s = a->stock.shelves[keeper]; s != NULL; s = s->next) {
            if (!order_is_valid(&s->blocks, BLOCK_FREE, &shelved)) return false;
            for (const block *b = order_first(&s->blocks); b != NULL; b = order_next(&s->blocks, b)) {
                HOLDS(b->pool == stock_range(keeper) && b->segment->shelf == s && s->keeper == keeper);
                if (b->below == NULL && !segment_is_valid(a, b, t)) return false;
            }
        }
    }
    for (uint64_t i = 0; i < a->live.capacity; i++) {
        const block *b = a->live.entries[i].address != 0 ? a->live.entries[i].block : NULL;
        if (b == NULL || !is_stock(b->pool)) continue;
        live++;
        if (b->below == NULL && !segment_is_valid(a, b, t)) return false;
    }
    for (const block *b = a->pending.first; b != NULL; b = b->live.junior) {
        if (!is_stock(b->pool)) continue;
        pending_blocks++;
        if (b->below == NULL && !segment_is_valid(a, b, t)) return false;
    }
    HOLDS(shelved == t->free_blocks - before.free_blocks);
    HOLDS(live == t->live_blocks - before.live_blocks);
    HOLDS(pending_blocks == t->pending_blocks - before.pending_blocks);
    return true;
}

/* ------------------------------------------------------------------ chunks, lists, counters */

static bool chunks_are_valid(const lacuna_agent *a, tally *t) {
    const chunks *c = &a->chunks;
    uint64_t mapped = a->segregated.ranges[0]->mapped_slots + a->segregated.ranges[1]->mapped_slots;
    for (uint8_t p = 0; p < STOCK_POOLS; p++) {
        uint64_t held = bits_count(c->mapped[p], 0, c->slots - 1);
        HOLDS(a->counters.pools[p].reserved_bytes == held * SLOT_BYTES);
        HOLDS(bits_next(c->mapped[p], 0, c->slots, false) >= c->lowest_unmapped[p]);
        HOLDS(bits_next(c->mapped[p], c->unused[p], c->slots, true) == c->slots);
        mapped += held;
    }
    HOLDS(a->counters.reserved_bytes == mapped * SLOT_BYTES);
    HOLDS(a->counters.segments == t->segments + t->runs);
    HOLDS(a->stock.segments[0] + a->stock.segments[1] == t->segments);
    HOLDS(a->segregated.ranges[0]->runs + a->segregated.ranges[1]->runs == t->runs);
    return true;
}

static bool lists_are_valid(const lacuna_agent *a, const tally *t) {
    uint64_t young = 0, waiting = 0, slabs = 0, spare = 0;
    const block *before = NULL;
    for (const block *b = a->lifetime.eldest; b != NULL; before = b, b = b->live.junior) {
        HOLDS(b->state == BLOCK_LIVE && b->young && b->live.elder == before);
        HOLDS(before == NULL || before->live.born < b->live.born);
        young++;
    }
    HOLDS(before == a->lifetime.youngest && young == t->young);
    before = NULL;
    for (const block *b = a->pending.first; b != NULL; before = b, b = b->live.junior) waiting++;
    HOLDS(before == a->pending.last && waiting == t->pending_blocks);
    for (const node *n = a->arena.slabs; n != NULL; n = n->next) slabs++;
    for (const node *n = a->arena.unused; n != NULL; n = n->next) spare++;
    HOLDS(spare == a->arena.spare);
    HOLDS(slabs * ARENA_SLAB_NODES - slabs - spare ==
          t->free_blocks + t->holes + t->live_blocks + t->pending_blocks + t->segments + t->stream_uses);
    HOLDS(a->live.used == t->live_blocks);
    return true;
}

static bool counters_are_valid(const lacuna_agent *a, const tally *t) {
    const lacuna_device_counters *c = &a->counters;
    uint64_t allocated = 0;
    for (int p = 0; p < LACUNA_POOL_COUNT; p++) {
        HOLDS(c->pools[p].allocated_bytes == t->allocated[p]);
        allocated += t->allocated[p];
    }
    HOLDS(c->allocated_bytes == allocated);
    HOLDS(c->requested_bytes == t->requested);
    HOLDS(c->split_bytes == c->reserved_bytes - c->allocated_bytes - c->pending_bytes - c->releasable_bytes);
    HOLDS(c->split_bytes == split_bytes(a, 0) + split_bytes(a, 1));
    for (int kind = 0; kind < 2; kind++) {
        HOLDS(account_now(&a->statistics.split_blocks.kind[kind]) == t->split[kind]);
    }
    HOLDS(c->pending_bytes == t->pending_bytes);
    HOLDS(c->releasable_bytes == t->releasable);
    for (int side = 0; side < SIDES; side++) HOLDS(c->cache_bytes[side] == t->cache[side]);
    HOLDS(c->reserved_bytes >= c->allocated_bytes + c->pending_bytes + c->releasable_bytes);
    HOLDS(c->allocations - c->frees == t->live_blocks);
    HOLDS(c->peak_allocated_bytes >= c->allocated_bytes && c->peak_reserved_bytes >= c->reserved_bytes);
    HOLDS(a->device->ops->is_valid == NULL || a->device->ops->is_valid(a->device));
    return true;
}

bool agent_is_valid(lacuna_agent *a) {
    state_lock(a);
    tally t = {0};
    bool valid = true;
    for (int i = 0; i < SEGREGATED_RANGES && valid; i++) valid = range_is_valid(a, a->segregated.ranges[i], &t);
    valid = valid && stock_is_valid(a, &t) && chunks_are_valid(a, &t) && lists_are_valid(a, &t) &&
            counters_are_valid(a, &t) && (a->swap == NULL || swap_is_valid(a->swap));
    state_unlock(a);
    return valid;
}

#endif
