#include "guard/image.h"

#include "pool/accounts.h"
#include "pool/operation.h"
#include "pool/pool.h"
#include "pool/segregated.h"
#include "prim/pages.h"

#include <string.h>

/* ------------------------------------------------------------------ taking */

static void add_tile(image *i, uint64_t room, const block *b) {
    if (i->count < room) {
        bool used = b->state == BLOCK_LIVE || b->state == BLOCK_PENDING;
        i->tiles[i->count] = (image_tile){.offset = b->offset, .size = b->size, .pool = b->pool, .state = b->state,
            .requested = used ? b->live.requested : 0,
            .stream = b->segment != NULL ? b->segment->shelf->stream : used ? b->live.stream : 0,
            .segment = b->segment != NULL ? b->segment->number : 0,
            .keeper = b->segment != NULL ? b->segment->shelf->keeper : 0};
    }
    i->count++;
}

static void add_segment(image *i, uint64_t room, const block *b) {
    while (b->below != NULL) b = b->below;
    for (; b != NULL; b = b->above) add_tile(i, room, b);
}

/* Each segment once: by its lowest block, which is live, pending or on a shelf. */
static void add_stock(image *i, uint64_t room, const lacuna_agent *a) {
    for (int keeper = 0; keeper < LACUNA_POOL_COUNT; keeper++) {
        for (const shelf *s = a->stock.shelves[keeper]; s != NULL; s = s->next) {
            for (const block *b = order_first(&s->blocks); b != NULL; b = order_next(&s->blocks, b)) {
                if (b->below == NULL) add_segment(i, room, b);
            }
        }
    }
    for (uint64_t n = 0; n < a->live.capacity && a->stock.segments[0] + a->stock.segments[1] > 0; n++) {
        const block *b = a->live.entries[n].address != 0 ? a->live.entries[n].block : NULL;
        if (b != NULL && is_stock(b->pool) && b->below == NULL) add_segment(i, room, b);
    }
    for (const block *b = a->pending.first; b != NULL; b = b->live.junior) {
        if (is_stock(b->pool) && b->below == NULL) add_segment(i, room, b);
    }
}

static void add_range(image *i, uint64_t room, const range *r) {
    const block *b = r->top;
    while (b->below != NULL) b = b->below;
    for (; b != NULL; b = b->above) {
        if (b->state != BLOCK_HOLE) add_tile(i, room, b);
    }
}

static uint64_t tiles_at_most(const lacuna_agent *a) {
    uint64_t used = a->live.used + a->stock.segments[0] + a->stock.segments[1];
    for (const block *b = a->pending.first; b != NULL; b = b->live.junior) used++;
    for (int r = 0; r < SEGREGATED_RANGES; r++) used += a->segregated.ranges[r]->runs;
    return 2 * used + 2; /* no two free ones touch within a segment or a run of mapped slots */
}

image *image_take(const lacuna_agent *a) {
    uint64_t room = tiles_at_most(a), bytes = sizeof(image) + room * sizeof(image_tile);
    image *i = pages_take(bytes);
    if (i == NULL) return NULL;
    i->bytes = bytes;
    i->counters = a->counters;
    i->base = a->base;
    i->range_bytes = a->range_bytes;
    i->inherited_bytes = a->inherited_bytes;
    i->former_peak_allocated_bytes = a->former_peak_allocated_bytes;
    i->events = a->lifetime.events;
    i->setup_depth = a->phase_depth[LACUNA_PHASE_SETUP];
    i->segments_created = a->stock.segments_created;
    i->divisible = a->stock.divisible;
    memcpy(i->scores, a->lifetime.scores, sizeof i->scores);
    add_stock(i, room, a);
    for (int r = 0; r < SEGREGATED_RANGES; r++) add_range(i, room, a->segregated.ranges[r]);
    if (i->count <= room) return i;
    image_drop(i);
    return NULL;
}

void image_drop(image *i) {
    if (i != NULL) pages_give(i, i->bytes);
}

/* ------------------------------------------------------------------ restoring */

static bool adopt(lacuna_agent *a, const image *i, const image_tile *t, block *b, table *names) {
    if (!table_reserve(&a->live) || !table_reserve(names)) return false;
    b->pool = t->pool;
    operate_adopt(a, b, t->requested, t->stream);
    table_add(names, i->base + range_of(a, t->pool) + t->offset, b);
    if (t->state == BLOCK_PENDING) {
        pending_hold(b);
        operate_free(a, b);
    }
    return true;
}

static bool is_used(const image_tile *t) {
    return t->state == BLOCK_LIVE || t->state == BLOCK_PENDING;
}

/* Tiles of one run of mapped slots, which begins at `from`: all of it becomes a piece, from which the blocks are cut. */
static bool restore_run(lacuna_agent *a, const image *i, range *r, uint64_t from, uint64_t to, table *names) {
    uint64_t start = i->tiles[from].offset, end = i->tiles[to - 1].offset + i->tiles[to - 1].size;
    slot_run runs[RANGE_HOLES_SPANNED];
    block *taken;
    if (!arena_reserve(&a->arena, RANGE_OCCUPY_NODES)) return false;
    position at = {r->top, start, (end - start) / SLOT_BYTES};
    range_occupy(a, r, &at, end - start, &taken, runs);
    count_grown(a, r->pool, start, end - start);
    block *piece = range_release(a, r, taken);
    for (uint64_t n = from; n < to; n++) {
        const image_tile *t = &i->tiles[n];
        if (!is_used(t)) continue;
        if (!arena_reserve(&a->arena, 2)) return false;
        block *b = range_carve(a, r, piece, t->offset, t->size);
        segregated_adopt(a, b, t->pool);
        if (!adopt(a, i, t, b, names)) return false;
        piece = b->above;
    }
    return true;
}

static bool restore_segment(lacuna_agent *a, const image *i, uint64_t from, uint64_t to, table *names) {
    const image_tile *first = &i->tiles[from], *last = &i->tiles[to - 1];
    if (!arena_reserve(&a->arena, 2)) return false;
    block *b = stock_adopt(a, first->keeper, first->offset, last->offset + last->size - first->offset, first->stream,
                           first->segment);
    for (uint64_t n = from; n < to && b != NULL; n++) {
        const image_tile *t = &i->tiles[n];
        if (!arena_reserve(&a->arena, 1)) return false;
        block *rest = stock_adopt_part(a, b, t->size, is_used(t));
        if (is_used(t) && !adopt(a, i, t, b, names)) return false;
        if (n + 1 == to) return true;
        b = rest;
    }
    return false;
}

/* Tiles that belong together: of one segment, or of adjacent mapped addresses. */
static uint64_t end_of_run(const image *i, uint64_t from) {
    uint64_t to = from + 1;
    for (; to < i->count; to++) {
        const image_tile *t = &i->tiles[to], *before = t - 1;
        if (home_of(t->pool) != home_of(before->pool) || t->segment != before->segment ||
            t->offset != before->offset + before->size) {
            break;
        }
    }
    return to;
}

static bool restore_tiles(lacuna_agent *a, const image *i, table *names) {
    for (uint64_t from = 0, to; from < i->count; from = to) {
        uint8_t home = home_of(i->tiles[from].pool);
        to = end_of_run(i, from);
        bool done = is_stock(home)
                        ? restore_segment(a, i, from, to, names)
                        : restore_run(a, i, a->segregated.ranges[home - LACUNA_POOL_SHORT_SMALL], from, to, names);
        if (!done) return false;
    }
    return true;
}

static void restore_counters(lacuna_agent *a, const image *i) {
    lacuna_device_counters *c = &a->counters;
    c->limit_bytes = i->counters.limit_bytes;
    c->fraction = i->counters.fraction;
    c->outside_bytes = i->counters.outside_bytes;
    c->peak_allocated_bytes = i->counters.peak_allocated_bytes;
    a->inherited_bytes = i->inherited_bytes;
    a->former_peak_allocated_bytes = i->former_peak_allocated_bytes;
    a->stock.segments_created = i->segments_created;
    a->lifetime.events = i->events;
    a->lifetime.steps_marked = true;
    memcpy(a->lifetime.scores, i->scores, sizeof i->scores);
    a->phase_depth[LACUNA_PHASE_SETUP] = i->setup_depth;
    if (i->setup_depth > 0) c->phases |= 1u << LACUNA_PHASE_SETUP;
}

lacuna_agent *image_restore(const image *i, table *names) {
    lacuna_options o = {.capacity_bytes = i->counters.total_bytes, .optimisation = i->counters.optimisation != 0, .policy = i->counters.policy,
        .bookkeeping_only = 1, .range_bytes = i->range_bytes, .other_bytes = i->counters.outside_bytes};
    lacuna_agent *a = NULL;
    char why[64];
    if (pool_open(&o, &a, why, sizeof why) != LACUNA_OK) return NULL;
    a->stock.divisible = i->divisible;
    if (restore_tiles(a, i, names)) {
        restore_counters(a, i);
        return a;
    }
    pool_close(a);
    return NULL;
}
