#include "segregated.h"

#include "pages.h"
#include "state.h"

#define EXTENTS_LOOKED_AT 64 /* of the best fits; more saves little memory and costs time */

static order *extents_of(lacuna_agent *a, uint8_t pool) {
    return a->segregated.extents[pool - LACUNA_POOL_SHORT_SMALL];
}

static block **top_of(lacuna_agent *a, uint8_t pool) {
    return &a->segregated.top[pool - LACUNA_POOL_SHORT_SMALL];
}

/* ------------------------------------------------------------------ finding a position */

/* The best place so far: the one that needs the fewest new chunks, the first seen among equals. */
typedef struct position {
    block *extent; /* NULL: none yet */
    uint64_t offset;
    uint64_t need; /* slots without memory */
} position;

static void consider(lacuna_agent *a, position *best, block *extent, uint64_t offset, uint64_t size) {
    uint64_t first = first_slot(offset), last = last_slot(offset, size);
    if (!fence_admits(a, extent->pool, first, last)) return;
    uint64_t need = chunks_missing(&a->chunks, extent->pool, first, last);
    if (best->extent == NULL || need < best->need) *best = (position){extent, offset, need};
}

static position find_position(lacuna_agent *a, uint8_t pool, uint64_t size) {
    const order *extents = extents_of(a, pool);
    const block *tail = *top_of(a, pool); /* free or not: only a free block is met below */
    position best = {NULL, 0, 0};
    bool tail_seen = false;
    block *e = order_at_least(extents, size);
    for (int i = 0; i < EXTENTS_LOOKED_AT && e != NULL; i++, e = order_next(extents, e)) {
        consider(a, &best, e, e->offset, size);
        if (best.extent != NULL && best.need == 0) return best;
        tail_seen |= e == tail;
        if (e == tail || e->size == size) continue;
        consider(a, &best, e, block_end(e) - size, size);
        if (best.extent != NULL && best.need == 0) return best;
    }
    if (!tail_seen && block_is_free(tail) && tail->size >= size) {
        consider(a, &best, *top_of(a, pool), tail->offset, size);
    }
    return best;
}

/* ------------------------------------------------------------------ taking */

/* Cuts the position out of its extent. */
static block *carve(lacuna_agent *a, position at, uint64_t size) {
    block *extent = at.extent, *taken = extent;
    order *extents = extents_of(a, extent->pool);
    if (extent->size == size) {
        order_remove(extents, extent);
    } else {
        taken = block_new(&a->arena, extent->pool, BLOCK_LIVE, at.offset, size);
        bool low = at.offset == extent->offset;
        order_move(extents, extent, low ? extent->offset + size : extent->offset, extent->size - size);
        if (low) {
            taken->above = extent;
            taken->below = extent->below;
            if (taken->below != NULL) taken->below->above = taken;
            extent->below = taken;
        } else {
            block_link_above(extent, taken);
        }
    }
    uint64_t before = a->chunks.idle_count;
    chunks_claim(&a->chunks, taken->pool, first_slot(at.offset), last_slot(at.offset, size));
    a->counters.releasable_bytes -= (before - a->chunks.idle_count) * SLOT_BYTES;
    return taken;
}

block *segregated_take(lacuna_agent *a, uint8_t pool, uint64_t rounded, enum growth growth) {
    position at = find_position(a, pool, rounded);
    /* A device that refuses to grow may still move what is idle: the second look takes nothing new. */
    for (bool may_grow = true; at.extent != NULL && at.need > 0; may_grow = false) {
        if (growth == AS_MAPPED) return NULL;
        enum chunk_fill filled = chunks_fill(a, pool, first_slot(at.offset), last_slot(at.offset, rounded), at.need,
                                             may_grow);
        if (filled == CHUNKS_FILLED) break;
        if (filled == CHUNKS_SHORT || !may_grow) return NULL;
        at = find_position(a, pool, rounded);
    }
    if (at.extent == NULL) return NULL;
    if (!fence_enter(a, pool, first_slot(at.offset), last_slot(at.offset, rounded))) return NULL;
    return carve(a, at, rounded);
}

/* ------------------------------------------------------------------ giving back */

/* Joins a block that becomes free with its free neighbours; the result is in the order. */
static block *join(lacuna_agent *a, block *b) {
    order *extents = extents_of(a, b->pool);
    block *below = block_is_free(b->below) ? b->below : NULL;
    block *above = block_is_free(b->above) ? b->above : NULL;
    block *kept = above != NULL ? above : below;
    if (kept == NULL) {
        order_insert(extents, b);
        return b;
    }
    uint64_t start = below != NULL ? below->offset : b->offset;
    uint64_t end = above != NULL ? block_end(above) : block_end(b);
    block_unlink(b);
    if (below != NULL && below != kept) {
        order_remove(extents, below);
        block_unlink(below);
        block_delete(&a->arena, below);
    }
    if (*top_of(a, b->pool) == b) *top_of(a, b->pool) = kept;
    block_delete(&a->arena, b);
    order_move(extents, kept, start, end - start);
    return kept;
}

void segregated_put(lacuna_agent *a, block *b) {
    uint8_t pool = b->pool;
    uint64_t first = first_slot(b->offset), last = last_slot(b->offset, b->size);
    b->state = BLOCK_FREE;
    block *extent = join(a, b);
    /* At its ends the block may share a slot with another block. */
    if (first * SLOT_BYTES < extent->offset) first++;
    if ((last + 1) * SLOT_BYTES > block_end(extent)) {
        if (last == 0) return;
        last--;
    }
    if (first <= last) chunks_abandon(a, pool, first, last);
}

/* ------------------------------------------------------------------ opening and closing */

bool segregated_open(lacuna_agent *a) {
    if (!arena_reserve(&a->arena, SEGREGATED_POOLS)) return false;
    for (uint8_t i = 0; i < SEGREGATED_POOLS; i++) {
        uint8_t pool = (uint8_t)(LACUNA_POOL_SHORT_SMALL + i);
        order *extents = pages_take(sizeof *extents);
        if (extents == NULL) return false;
        a->segregated.extents[i] = extents;
        block *whole = block_new(&a->arena, pool, BLOCK_FREE, 0, a->range_bytes);
        order_insert(extents, whole);
        a->segregated.top[i] = whole;
    }
    return true;
}

void segregated_close(segregated *s) {
    for (int i = 0; i < SEGREGATED_POOLS; i++) pages_give(s->extents[i], sizeof(order));
}
