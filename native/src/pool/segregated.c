#include "pool/segregated.h"

#include "pool/accounts.h"
#include "pool/search.h"
#include "pool/state.h"
#include "prim/pages.h"

static range *range_for(const lacuna_agent *a, uint8_t pool) {
    return a->segregated.ranges[home_of(pool) - LACUNA_POOL_SHORT_SMALL];
}

/* A long pool reserves what its blocks hold, out of what the short pool of the same range has. */
static void count_held(lacuna_agent *a, const block *b, uint64_t bytes) {
    uint8_t home = home_of(b->pool);
    if (b->pool == home) return;
    a->counters.pools[b->pool].reserved_bytes += bytes;
    a->counters.pools[home].reserved_bytes -= bytes;
}

/* ------------------------------------------------------------------ idle slots, in the order in which they go */

/* The pieces of both ranges, the largest first; of equal ones the one that lies highest. */
typedef struct idle_walk {
    block *next[SEGREGATED_RANGES];
} idle_walk;

static idle_walk walk_idle(const lacuna_agent *a) {
    idle_walk w;
    for (int i = 0; i < SEGREGATED_RANGES; i++) w.next[i] = order_last(&a->segregated.ranges[i]->pieces);
    return w;
}

/* NULL where none of those that are left holds a whole slot. */
static block *next_idle(const lacuna_agent *a, idle_walk *w, range **home) {
    int i = w->next[0] == NULL || (w->next[1] != NULL && w->next[1]->size >= w->next[0]->size);
    block *piece = w->next[i];
    if (piece == NULL || piece->size < SLOT_BYTES) return NULL;
    *home = a->segregated.ranges[i];
    w->next[i] = order_previous(&(*home)->pieces, piece);
    return piece;
}

static uint64_t idle_count(const lacuna_agent *a) {
    return a->segregated.ranges[0]->idle_slots + a->segregated.ranges[1]->idle_slots;
}

/* The first run, at slot `from` or above, of at most `most` whole slots of the piece, settled where that is asked for. */
static uint64_t idle_run(lacuna_agent *a, const range *r, const block *piece, uint64_t from, uint64_t most,
                         bool settled, uint64_t *first) {
    uint64_t end = block_end(piece) / SLOT_BYTES, count = 0;
    *first = (piece->offset + SLOT_BYTES - 1) / SLOT_BYTES;
    if (*first < from) *first = from;
    if (*first >= end) return 0;
    if (!settled || !a->fence.active) return end - *first < most ? end - *first : most;
    while (*first < end && !fence_is_settled(a, r->pool, *first)) ++*first;
    while (count < most && *first + count < end && fence_is_settled(a, r->pool, *first + count)) count++;
    return count;
}

/* Whether so many idle slots may leave now. */
static bool enough_settled(lacuna_agent *a, uint64_t count) {
    if (!a->fence.active) return true;
    idle_walk w = walk_idle(a);
    range *home;
    while (count > 0) {
        const block *piece = next_idle(a, &w, &home);
        if (piece == NULL) return false;
        for (uint64_t first = 0; count > 0;) {
            uint64_t run = idle_run(a, home, piece, first, count, true, &first);
            if (run == 0) break;
            first += run;
            count -= run;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ filling a position */

/* A position of a range that is being filled: the runs before `at` are full. */
typedef struct filling {
    range *into;
    slot_run *runs;
    uint64_t count, at;
} filling;

/* The next slots to fill: their number, at most `most`; 0 when all are full. */
static uint64_t to_fill(filling *f, uint64_t most, uint64_t *first) {
    while (f->at < f->count && f->runs[f->at].filled == f->runs[f->at].count) f->at++;
    if (f->at == f->count) return 0;
    const slot_run *run = &f->runs[f->at];
    *first = run->first + run->filled;
    return run->count - run->filled < most ? run->count - run->filled : most;
}

/* The next slots to be filled hold memory that came from slot `source` on. */
static void count_filled(lacuna_agent *a, const range *from, uint64_t source, filling *f, uint64_t target, uint64_t count) {
    f->runs[f->at].filled += count;
    count_moved(a, from->pool, source * SLOT_BYTES, f->into->pool, target * SLOT_BYTES, count * SLOT_BYTES);
}

/* Moves idle slots of *piece to the next ones to be filled, which are adjacent; *piece becomes what is left above them. */
static bool move_run(lacuna_agent *a, range *from, block **piece, uint64_t first, uint64_t count, filling *f) {
    device *d = a->device;
    uint64_t target, bytes = count * SLOT_BYTES;
    to_fill(f, count, &target);
    uint64_t source_at = range_of(a, from->pool) + first * SLOT_BYTES;
    uint64_t target_at = range_of(a, f->into->pool) + target * SLOT_BYTES;
    if (!fence_settle(a, from->pool, first, count)) return false;
    if (d->ops->move(d, source_at, target_at, bytes)) {
        *piece = range_unmap(a, from, *piece, first, count);
        count_filled(a, from, first, f, target, count);
        return true;
    }
    if (count > 1) { /* the run may lie in several mappings, each of which moves by itself */
        bool all = true; /* each is tried: a device that failed half-way may have lost what one of them held */
        for (uint64_t i = 0; i < count; i++) {
            all &= *piece != NULL && arena_reserve(&a->arena, RANGE_UNMAP_NODES * (1 + RANGE_HOLES_SPANNED)) &&
                   move_run(a, from, piece, first + i, 1, f);
        }
        return all;
    }
    if (!d->ops->release(d, source_at, bytes)) return false;
    *piece = range_unmap(a, from, *piece, first, 1);
    if (!d->ops->map(d, target_at, bytes)) {
        count_released(a, from->pool, first * SLOT_BYTES, bytes);
        return false;
    }
    a->statistics.device_frees++; /* it could not be moved, so it went to the device and back */
    a->statistics.device_allocs++;
    count_filled(a, from, first, f, target, 1);
    return true;
}

/* Moves so many idle slots to where they are needed. Runs that are adjacent at both ends move in one call. */
static bool steal(lacuna_agent *a, filling *f, uint64_t count, bool settled) {
    idle_walk w = walk_idle(a);
    range *from;
    while (count > 0) {
        block *piece = next_idle(a, &w, &from);
        if (piece == NULL) return false;
        for (uint64_t first = 0, target; piece != NULL && count > 0;) {
            uint64_t most = to_fill(f, count, &target);
            uint64_t run = idle_run(a, from, piece, first, most, settled, &first);
            if (run == 0) break;
            if (!arena_reserve(&a->arena, RANGE_UNMAP_NODES * (1 + RANGE_HOLES_SPANNED))) return false;
            if (!move_run(a, from, &piece, first, run, f)) return false;
            first += run;
            count -= run;
        }
    }
    return true;
}

static bool map_rest(lacuna_agent *a, filling *f) {
    device *d = a->device;
    uint8_t pool = f->into->pool;
    for (;;) {
        uint64_t first, count = to_fill(f, UINT64_MAX, &first);
        if (count == 0) return true;
        if (!d->ops->map(d, range_of(a, pool) + first * SLOT_BYTES, count * SLOT_BYTES)) return false;
        f->runs[f->at].filled += count;
        count_grown(a, pool, first * SLOT_BYTES, count * SLOT_BYTES);
    }
}

enum filled { FILLED, TOO_FEW, REFUSED };

static enum filled fill(lacuna_agent *a, filling *f, uint64_t stolen) {
    if (stolen > 0) {
        /* A chunk whose streams are still at work is waited for only when the alternative is out-of-memory. */
        bool settled = enough_settled(a, stolen);
        if (!settled && !a->fence.blocking) return TOO_FEW;
        if (!steal(a, f, stolen, settled)) return REFUSED;
    }
    return map_rest(a, f) ? FILLED : REFUSED;
}

/* What could not be filled becomes a hole again, what has memory a piece. */
static void undo(lacuna_agent *a, filling *f, block *taken) {
    block *piece = range_release(a, f->into, taken);
    for (uint64_t i = f->count; i > 0; i--) {
        const slot_run *run = &f->runs[i - 1];
        if (run->filled == run->count) continue;
        range_unmap(a, f->into, piece, run->first + run->filled, run->count - run->filled);
    }
    count_segments(a);
}

/* Takes a position for which slots have to be mapped. */
static enum filled take_growing(lacuna_agent *a, range *r, const position *at, uint64_t size, bool may_grow,
                                block **taken) {
    slot_run runs[RANGE_HOLES_SPANNED];
    filling f = {r, runs, 0, 0};
    uint64_t mapped = may_grow ? room(a) / SLOT_BYTES : 0;
    uint64_t stolen = at->need > mapped ? at->need - mapped : 0;
    if (stolen > 0 && stolen > idle_count(a) - range_idle_in(at, size)) return TOO_FEW;
    uint64_t nodes = RANGE_OCCUPY_NODES + RANGE_UNMAP_NODES * RANGE_HOLES_SPANNED;
    if (!arena_reserve(&a->arena, nodes)) return TOO_FEW;
    f.count = range_occupy(a, r, at, size, taken, runs);
    enum filled result = fill(a, &f, stolen);
    if (result != FILLED) undo(a, &f, *taken);
    return result;
}

/* ------------------------------------------------------------------ taking */

/* The position that needs the fewest slots; where too few lie outside of it, the one that needs the fewest of those that can
 * be filled. */
static position find_growth(lacuna_agent *a, const range *r, uint64_t size, bool may_grow) {
    const supply there = {may_grow ? room(a) / SLOT_BYTES : 0, idle_count(a)};
    position at = search_growth(a, r, size, NULL);
    if (at.first == NULL || search_can_fill(&there, &at, size)) return at;
    return search_growth(a, r, size, &there);
}

static block *take(lacuna_agent *a, range *r, uint64_t size, bool long_lived, enum growth growth) {
    position at = search_fit(a, r, size, long_lived);
    block *taken = NULL;
    if (at.first == NULL) {
        if (growth == AS_MAPPED) return NULL;
        at = find_growth(a, r, size, true);
        if (at.first == NULL) return NULL;
    }
    uint64_t first = first_slot(at.offset), last = last_slot(at.offset, size);
    if (is_fenced(a) && !fence_enter(a, r->pool, first, last)) return NULL;
    if (at.need == 0) return range_carve(a, r, at.first, at.offset, size);
    enum filled filled = take_growing(a, r, &at, size, true, &taken);
    if (filled == REFUSED) {
        /* A device that refuses to grow may still move what is idle: the second look takes nothing new. */
        at = find_growth(a, r, size, false);
        bool entered = at.first != NULL && (!is_fenced(a) || fence_enter(a, r->pool, first_slot(at.offset),
                                                                         last_slot(at.offset, size)));
        if (entered) filled = take_growing(a, r, &at, size, false, &taken);
    }
    return filled == FILLED ? taken : NULL;
}

void segregated_adopt(lacuna_agent *a, block *b, uint8_t pool) {
    b->state = BLOCK_LIVE;
    b->pool = pool;
    count_held(a, b, b->size);
}

block *segregated_take(lacuna_agent *a, uint8_t pool, uint64_t rounded, enum growth growth) {
    block *b = take(a, range_for(a, pool), rounded, pool != home_of(pool), growth);
    if (b != NULL) segregated_adopt(a, b, pool);
    return b;
}

/* ------------------------------------------------------------------ giving back */

/* Unmaps idle slots of *piece, which becomes what is left above them; false when they have to stay. */
static bool release_run(lacuna_agent *a, range *r, block **piece, uint64_t first, uint64_t count) {
    device *d = a->device;
    if (!arena_reserve(&a->arena, RANGE_UNMAP_NODES) || !fence_settle(a, r->pool, first, count)) return false;
    if (!d->ops->release(d, range_of(a, r->pool) + first * SLOT_BYTES, count * SLOT_BYTES)) return false;
    *piece = range_unmap(a, r, *piece, first, count);
    count_released(a, r->pool, first * SLOT_BYTES, count * SLOT_BYTES);
    return true;
}

void segregated_put(lacuna_agent *a, block *b) {
    range *r = range_for(a, b->pool);
    uint64_t first = first_slot(b->offset), end = last_slot(b->offset, b->size) + 1;
    count_held(a, b, -b->size);
    bool draining = drains(a, SIDE_SEGREGATED);
    block *piece = range_release(a, r, b);
    /* At its ends the block may share a slot with another block. */
    if (first * SLOT_BYTES < piece->offset) first++;
    if (end * SLOT_BYTES > block_end(piece)) end--;
    if (first >= end) return;
    if (is_fenced(a)) fence_idle(a, r->pool, first, end - 1);
    if (!draining) return;
    uint64_t go = end - first;
    if (serving(a) == SIDE_SEGREGATED) { /* only down to the limit */
        uint64_t excess = a->counters.reserved_bytes - a->counters.limit_bytes;
        uint64_t enough = (excess + SLOT_BYTES - 1) / SLOT_BYTES;
        if (enough < go) go = enough;
    }
    release_run(a, r, &piece, first, go);
}

void segregated_release(lacuna_agent *a, uint64_t target) {
    idle_walk w = walk_idle(a);
    range *r;
    while (a->counters.reserved_bytes > target) {
        block *piece = next_idle(a, &w, &r);
        if (piece == NULL) break;
        for (uint64_t first = 0; piece != NULL && a->counters.reserved_bytes > target;) {
            uint64_t most = (a->counters.reserved_bytes - target + SLOT_BYTES - 1) / SLOT_BYTES;
            uint64_t run = idle_run(a, r, piece, first, most, !a->fence.blocking, &first);
            if (run == 0) break;
            release_run(a, r, &piece, first, run); /* a run that the device keeps is passed over */
            first += run;
        }
    }
    if (a->fence.active && a->counters.reserved_bytes > target && idle_count(a) > 0) a->fence.deferred = true;
}

/* ------------------------------------------------------------------ opening and closing */

bool segregated_open(lacuna_agent *a) {
    if (!arena_reserve(&a->arena, SEGREGATED_RANGES)) return false;
    for (uint8_t i = 0; i < SEGREGATED_RANGES; i++) {
        a->segregated.ranges[i] = pages_take(sizeof(range));
        if (a->segregated.ranges[i] == NULL) return false;
        range_open(a, a->segregated.ranges[i], (uint8_t)(LACUNA_POOL_SHORT_SMALL + i));
    }
    return true;
}

void segregated_close(segregated *s) {
    for (int i = 0; i < SEGREGATED_RANGES; i++) pages_give(s->ranges[i], sizeof(range));
}
