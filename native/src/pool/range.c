#include "pool/range.h"

#include "pool/state.h"

/* ------------------------------------------------------------------ books */

static uint64_t whole_in(const block *b) {
    return whole_slots(b->offset, block_end(b));
}

static void count_idle(lacuna_agent *a, range *r, uint64_t before, uint64_t after) {
    r->idle_slots += after - before;
    a->counters.releasable_bytes += (after - before) * SLOT_BYTES;
    a->counters.cache_bytes[SIDE_SEGREGATED] += (after - before) * SLOT_BYTES;
}

/* Whether a piece there, if there is one, holds more than whole slots; 1 or 0. */
static uint64_t is_split(uint64_t start, uint64_t end) {
    return start < end && ((start | end) & (SLOT_BYTES - 1)) != 0;
}

static void count_split_pieces(lacuna_agent *a, const range *r, uint64_t more) {
    if (more != 0) gauge_change(&a->statistics.split_blocks, r->pool & 1, more);
}

static void count_runs(lacuna_agent *a, range *r, uint64_t more) {
    r->runs += more;
    a->counters.segments += more;
}

/* Holes part runs of mapped slots: one more than there are holes, less those at the range's ends. */
static uint64_t runs_beside(const range *r, const block *hole) {
    return UINT64_C(1) - (hole->offset == 0) - (block_end(hole) == r->bytes);
}

static void insert_hole(lacuna_agent *a, range *r, block *b) {
    b->state = BLOCK_HOLE;
    order_insert(&r->holes, b);
    count_runs(a, r, runs_beside(r, b));
}

static void remove_hole(lacuna_agent *a, range *r, block *b) {
    order_remove(&r->holes, b);
    count_runs(a, r, -runs_beside(r, b));
}

/* ------------------------------------------------------------------ cutting and joining */

/* A new block right above `below`, in no order. */
static block *add_above(lacuna_agent *a, range *r, block *below, uint8_t state, uint64_t offset, uint64_t size) {
    block *b = block_new(&a->arena, r->pool, state, offset, size);
    block_link_above(below, b);
    if (r->top == below) r->top = b;
    return b;
}

static block *add_below(lacuna_agent *a, range *r, block *above, uint8_t state, uint64_t offset, uint64_t size) {
    block *b = block_new(&a->arena, r->pool, state, offset, size);
    b->above = above;
    b->below = above->below;
    if (b->below != NULL) b->below->above = b;
    above->below = b;
    return b;
}

static void drop(lacuna_agent *a, range *r, block *b, block *heir) {
    block_unlink(b);
    if (r->top == b) r->top = heir;
    block_delete(&a->arena, b);
}

/* A block that is in no order becomes a piece; the result takes in the pieces beside it. */
static block *join_piece(lacuna_agent *a, range *r, block *b) {
    block *below = block_is_free(b->below) ? b->below : NULL;
    block *above = block_is_free(b->above) ? b->above : NULL;
    block *kept = above != NULL ? above : below;
    b->state = BLOCK_FREE;
    if (kept == NULL) {
        order_insert(&r->pieces, b);
        count_idle(a, r, 0, whole_in(b));
        count_split_pieces(a, r, is_split(b->offset, block_end(b)));
        return b;
    }
    uint64_t start = below != NULL ? below->offset : b->offset;
    uint64_t end = above != NULL ? block_end(above) : block_end(b);
    uint64_t idle = whole_in(kept), split = is_split(kept->offset, block_end(kept));
    if (below != NULL && below != kept) {
        idle += whole_in(below);
        split += is_split(below->offset, block_end(below));
        order_remove(&r->pieces, below);
        drop(a, r, below, kept);
    }
    drop(a, r, b, kept);
    order_move(&r->pieces, kept, start, end - start);
    count_idle(a, r, idle, whole_slots(start, end));
    count_split_pieces(a, r, is_split(start, end) - split);
    return kept;
}

/* A block that is in no order becomes a hole; it takes in the holes beside it. */
static void join_hole(lacuna_agent *a, range *r, block *b) {
    block *above = b->above, *below = b->below;
    if (above != NULL && above->state == BLOCK_HOLE) {
        remove_hole(a, r, above);
        b->size += above->size;
        drop(a, r, above, b);
    }
    if (below != NULL && below->state == BLOCK_HOLE) {
        remove_hole(a, r, below);
        b->offset = below->offset;
        b->size += below->size;
        drop(a, r, below, b);
    }
    insert_hole(a, r, b);
}

/* ------------------------------------------------------------------ mapping and unmapping */

/* Slots of a hole are mapped from now on; returns the piece in which they lie. */
static block *fill(lacuna_agent *a, range *r, block *hole, uint64_t first, uint64_t count) {
    uint64_t from = first * SLOT_BYTES, to = (first + count) * SLOT_BYTES, end = block_end(hole);
    block *filled = hole;
    remove_hole(a, r, hole);
    if (from > hole->offset) {
        hole->size = from - hole->offset;
        filled = add_above(a, r, hole, BLOCK_FREE, from, end - from);
        insert_hole(a, r, hole);
    }
    if (to < end) {
        filled->size = to - from;
        insert_hole(a, r, add_above(a, r, filled, BLOCK_HOLE, to, end - to));
    }
    r->mapped_slots += count;
    return join_piece(a, r, filled);
}

block *range_unmap(lacuna_agent *a, range *r, block *piece, uint64_t first, uint64_t count) {
    uint64_t from = first * SLOT_BYTES, to = (first + count) * SLOT_BYTES;
    uint64_t start = piece->offset, end = block_end(piece);
    block *hole = piece, *rest = NULL;
    count_idle(a, r, whole_in(piece), whole_slots(start, from) + whole_slots(to, end));
    count_split_pieces(a, r, is_split(start, from) + is_split(to, end) - is_split(start, end));
    if (from > start) {
        order_move(&r->pieces, piece, start, from - start);
        hole = add_above(a, r, piece, BLOCK_HOLE, from, to - from);
        if (to < end) {
            rest = add_above(a, r, hole, BLOCK_FREE, to, end - to);
            order_insert(&r->pieces, rest);
        }
    } else if (to < end) {
        rest = piece;
        order_move(&r->pieces, rest, to, end - to);
        hole = add_below(a, r, rest, BLOCK_HOLE, from, to - from);
    } else {
        order_remove(&r->pieces, piece);
    }
    r->mapped_slots -= count;
    join_hole(a, r, hole);
    return rest;
}

/* ------------------------------------------------------------------ blocks */

uint64_t range_idle_in(const position *at, uint64_t size) {
    uint64_t end = at->offset + size, idle = 0;
    for (const block *b = at->first; b != NULL && b->offset < end; b = b->above) {
        if (b->state != BLOCK_FREE) continue;
        uint64_t from = b->offset > at->offset ? b->offset : at->offset;
        uint64_t to = block_end(b) < end ? block_end(b) : end;
        idle += whole_in(b) - whole_slots(b->offset, from) - whole_slots(to, block_end(b));
    }
    return idle;
}

block *range_carve(lacuna_agent *a, range *r, block *piece, uint64_t offset, uint64_t size) {
    uint64_t start = piece->offset, end = block_end(piece), to = offset + size;
    count_idle(a, r, whole_in(piece), whole_slots(start, offset) + whole_slots(to, end));
    uint64_t split = is_split(start, end);
    if (size == piece->size) {
        count_split_pieces(a, r, -split);
        order_remove(&r->pieces, piece);
        return piece;
    }
    if (offset == start) {
        count_split_pieces(a, r, is_split(to, end) - split);
        order_move(&r->pieces, piece, to, end - to);
        return add_below(a, r, piece, BLOCK_LIVE, offset, size);
    }
    count_split_pieces(a, r, is_split(start, offset) + is_split(to, end) - split);
    order_move(&r->pieces, piece, start, offset - start);
    block *taken = add_above(a, r, piece, BLOCK_LIVE, offset, size);
    if (to < end) order_insert(&r->pieces, add_above(a, r, taken, BLOCK_FREE, to, end - to));
    return taken;
}

uint64_t range_occupy(lacuna_agent *a, range *r, const position *at, uint64_t size, block **taken,
                      slot_run runs[RANGE_HOLES_SPANNED]) {
    uint64_t end = at->offset + size, count = 0;
    block *piece = at->first;
    for (block *b = at->first; b != NULL && b->offset < end; b = b->above) {
        if (b->state != BLOCK_HOLE || block_end(b) <= at->offset) continue;
        uint64_t from = b->offset > at->offset ? b->offset : at->offset;
        uint64_t to = block_end(b) < end ? block_end(b) : end;
        uint64_t first = first_slot(from), slots = last_slot(from, to - from) - first + 1;
        runs[count++] = (slot_run){first, slots, 0};
        b = piece = fill(a, r, b, first, slots);
    }
    *taken = range_carve(a, r, piece, at->offset, size);
    return count;
}

block *range_release(lacuna_agent *a, range *r, block *b) {
    b->pool = r->pool;
    return join_piece(a, r, b);
}

/* ------------------------------------------------------------------ opening */

void range_open(lacuna_agent *a, range *r, uint8_t pool) {
    r->pool = pool;
    r->bytes = a->range_bytes;
    r->top = block_new(&a->arena, pool, BLOCK_HOLE, 0, r->bytes);
    count_runs(a, r, 1); /* and minus one for the range's only hole */
    insert_hole(a, r, r->top);
}
