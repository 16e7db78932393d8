#include "pool/search.h"

#include "pool/state.h"

#define FITS_TRIED 64      /* of the best fits a big block takes the lowest */
#define PIECES_EXTENDED 16 /* the largest ones, when growing */
#define BIG_SHARE 192      /* of the peak allocated: a block of this share, or more, is big */

static bool is_aligned(uint64_t offset) {
    return offset % SLOT_BYTES == 0;
}

/* ------------------------------------------------------------------ in one piece */

static bool is_big(const lacuna_agent *a, uint64_t size) {
    uint64_t peak = a->counters.allocated_bytes + size;
    if (peak < a->counters.peak_allocated_bytes) peak = a->counters.peak_allocated_bytes;
    if (peak < a->former_peak_allocated_bytes) peak = a->former_peak_allocated_bytes;
    return size > SMALL_BYTES && size >= peak / BIG_SHARE;
}

static uint64_t offset_in(const block *piece, uint64_t size, bool big, bool long_lived) {
    uint64_t low = piece->offset, high = block_end(piece) - size;
    bool high_only = is_aligned(size) && !is_aligned(low) && is_aligned(high);
    if (big) return high_only && high - low < size ? high : low;
    if (high_only) return high;
    bool low_only = is_aligned(size) && is_aligned(low) && !is_aligned(high);
    return long_lived && !low_only ? high : low;
}

/* The piece that can grow without end: it is used last, so that it stays whole for what fits nowhere else. */
static bool is_frontier(const range *r, const block *piece) {
    return piece->above == r->top && r->top->state == BLOCK_HOLE;
}

position search_fit(lacuna_agent *a, const range *r, uint64_t size, bool long_lived) {
    bool big = is_big(a, size);
    position best = {NULL, 0, 0};
    block *piece = order_at_least(&r->pieces, size);
    for (int i = 0; i < FITS_TRIED && piece != NULL; i++, piece = order_next(&r->pieces, piece)) {
        if (big && best.first != NULL && piece->offset > best.first->offset) continue;
        uint64_t offset = offset_in(piece, size, big, long_lived);
        if (is_fenced(a) && !fence_admits(a, r->pool, first_slot(offset), last_slot(offset, size))) continue;
        best = (position){piece, offset, 0};
        if (!big && !is_frontier(r, piece)) break;
    }
    return best;
}

/* ------------------------------------------------------------------ growing */

/* What is looked for, and where. */
typedef struct growing {
    lacuna_agent *agent;
    const range *in;
    uint64_t size;
    const supply *from; /* NULL: slots that cannot be filled count too */
} growing;

/* Slots without memory in `from` … `to` - 1, which begin in or above `first`; false where not all of it is free. */
static bool survey(const block *first, uint64_t from, uint64_t to, uint64_t *need) {
    int holes = 0;
    *need = 0;
    for (const block *b = first; is_open_ground(b); b = b->above) {
        uint64_t end = block_end(b);
        if (b->state == BLOCK_HOLE && end > from) {
            if (++holes > RANGE_HOLES_SPANNED) return false;
            uint64_t low = b->offset > from ? b->offset : from, high = end < to ? end : to;
            *need += last_slot(low, high - low) - first_slot(low) + 1;
        }
        if (end >= to) return true;
    }
    return false;
}

bool search_can_fill(const supply *s, const position *at, uint64_t size) {
    return at->need <= s->growing || at->need - s->growing <= s->idle - range_idle_in(at, size);
}

/* Whether the position is possible at all; it is taken if it needs fewer slots than the best so far. */
static bool offer(const growing *g, position *best, block *first, uint64_t offset) {
    lacuna_agent *a = g->agent;
    const range *r = g->in;
    uint64_t size = g->size, need;
    if (!survey(first, offset, offset + size, &need)) return false;
    if (g->from != NULL && !search_can_fill(g->from, &(position){first, offset, need}, size)) return false;
    if (best->first != NULL && need >= best->need) return true;
    if (is_fenced(a) && !fence_admits(a, r->pool, first_slot(offset), last_slot(offset, size))) return true;
    *best = (position){first, offset, need};
    return true;
}

static void extend_up(const growing *g, position *best, block *piece) {
    if (is_aligned(g->size) && !is_aligned(piece->offset)) {
        uint64_t aligned = (first_slot(piece->offset) + 1) * SLOT_BYTES;
        if (offer(g, best, piece, aligned)) return;
    }
    offer(g, best, piece, piece->offset);
}

static void extend_down(const growing *g, position *best, block *piece) {
    if (block_end(piece) < g->size) return;
    uint64_t offset = block_end(piece) - g->size;
    block *first = piece;
    for (int holes = 0; is_open_ground(first) && first->offset > offset; first = first->below) {
        if (first->state == BLOCK_HOLE && ++holes > RANGE_HOLES_SPANNED) return;
    }
    if (is_open_ground(first)) offer(g, best, first, offset);
}

position search_growth(lacuna_agent *a, const range *r, uint64_t size, const supply *from) {
    position best = {NULL, 0, 0};
    const growing g = {a, r, size, from};
    block *piece = order_last(&r->pieces);
    for (int i = 0; i < PIECES_EXTENDED && piece != NULL; i++, piece = order_previous(&r->pieces, piece)) {
        extend_up(&g, &best, piece);
        extend_down(&g, &best, piece);
    }
    if (r->top->state == BLOCK_HOLE && block_is_free(r->top->below)) extend_up(&g, &best, r->top->below);
    block *hole = order_at_least(&r->holes, (size + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES);
    if (hole != NULL) offer(&g, &best, hole, hole->offset);
    return best;
}
