/*
 * victims.c - what goes for a request, so that memory comes free where it helps: neighbours that leave one piece, or whole
 * chunks, which move to where they are missing. Sizes alone say little: what lies apart frees no place for a large block.
 */
#include "swap/victims.h"

#include "pool/range.h"
#include "pool/state.h"

#include <stdlib.h>

#define COPY_COST 16 /* of a byte that is not on the host yet */
#define SOON_COST 32 /* of one that is needed first; in between by the order of layers */
#define GAPS_COST 16 /* of one in a tensor with gaps, which autograd may want in another order */

/* A block that can go, since all entries that hold it can: entries[from … to - 1]. */
typedef struct movable {
    block *at;
    uint32_t from, to;
    uint64_t cost; /* of it and all before it */
} movable;

/* Movable blocks first … last with nothing but free pieces between them. */
typedef struct window {
    uint32_t first, last;
    uint64_t cost, slots; /* slots: that become idle */
} window;

typedef struct ground {
    const shortage *lack;
    swapped **entries;
    movable *blocks;
    window *windows; /* room for one a block */
    uint32_t count, window_count;
} ground;

/* ------------------------------------------------------------------ the ground */

static uint8_t range_pool(const block *b) {
    return home_of(b->pool);
}

static int by_address(const void *left, const void *right) {
    const block *a = (*(swapped *const *)left)->held, *b = (*(swapped *const *)right)->held;
    if (range_pool(a) != range_pool(b)) return range_pool(a) < range_pool(b) ? -1 : 1;
    if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
    return 0;
}

static uint64_t cost_of(const swapped *s, uint64_t earliest, uint64_t latest) {
    uint64_t soon = latest > earliest ? SOON_COST * (s->entry.pass - earliest) / (latest - earliest) : 0;
    uint64_t weight = 1 + soon + (swapped_is_copied(s) ? 0 : COPY_COST) + (s->entry.contiguous ? 0 : GAPS_COST);
    return s->entry.bytes / UNIT_BYTES * weight;
}

/* Blocks that others hold too stay. */
static void survey(ground *g, uint32_t entries) {
    uint64_t earliest = UINT64_MAX, latest = 0, cost = 0;
    for (uint32_t i = 0; i < entries; i++) {
        uint64_t pass = g->entries[i]->entry.pass;
        if (pass < earliest) earliest = pass;
        if (pass > latest) latest = pass;
    }
    qsort(g->entries, entries, sizeof(swapped *), by_address);
    for (uint32_t i = 0, next; i < entries; i = next) {
        block *b = g->entries[i]->held;
        uint64_t own = 0;
        for (next = i; next < entries && g->entries[next]->held == b; next++) own += cost_of(g->entries[next], earliest, latest);
        if (b->lent != next - i) continue;
        cost += own;
        g->blocks[g->count++] = (movable){b, i, next, cost};
    }
}

static uint64_t cost_between(const ground *g, uint32_t first, uint32_t last) {
    return g->blocks[last].cost - (first > 0 ? g->blocks[first - 1].cost : 0);
}

static bool touches_next(const ground *g, uint32_t i) {
    const block *above = g->blocks[i].at->above;
    if (block_is_free(above)) above = above->above;
    return i + 1 < g->count && above == g->blocks[i + 1].at;
}

static uint64_t start_of(const ground *g, uint32_t i) {
    const block *b = g->blocks[i].at;
    return block_is_free(b->below) ? b->below->offset : b->offset;
}

static uint64_t end_of(const ground *g, uint32_t i) {
    const block *b = g->blocks[i].at;
    return block_is_free(b->above) ? block_end(b->above) : block_end(b);
}

/* ------------------------------------------------------------------ one piece */

/* Whether the request may lie there. */
static bool is_for(const shortage *lack, const block *b) {
    if (b->segment != NULL) return b->pool == lack->pool && b->live.stream == lack->stream;
    return range_pool(b) == lack->pool || (lack->may_widen && range_pool(b) == LACUNA_POOL_SHORT_LARGE);
}

/* The cheapest neighbours that leave a piece of the size. */
static bool find_piece(const ground *g, window *best) {
    bool found = false;
    for (uint32_t first = 0, last = 0; last < g->count; last++) {
        if (!is_for(g->lack, g->blocks[last].at)) {
            first = last + 1;
            continue;
        }
        while (first < last && end_of(g, last) - start_of(g, first + 1) >= g->lack->bytes) first++;
        uint64_t cost = cost_between(g, first, last);
        if (end_of(g, last) - start_of(g, first) >= g->lack->bytes && (!found || cost < best->cost)) {
            *best = (window){first, last, cost, 0};
            found = true;
        }
        if (!touches_next(g, last)) first = last + 1;
    }
    return found;
}

/* ------------------------------------------------------------------ whole chunks */

static uint64_t idle_in(const block *b) {
    return block_is_free(b) ? whole_slots(b->offset, block_end(b)) : 0;
}

/* Slots that become idle when first … last go. */
static uint64_t gain(const ground *g, uint32_t first, uint32_t last) {
    uint64_t before = idle_in(g->blocks[last].at->above);
    for (uint32_t i = first; i <= last; i++) before += idle_in(g->blocks[i].at->below);
    return whole_slots(start_of(g, first), end_of(g, last)) - before;
}

/* The smallest windows that gain a slot, side by side. */
static void find_slots(ground *g) {
    for (uint32_t first = 0, last = 0; last < g->count; last++) {
        bool ends = !touches_next(g, last);
        if (g->blocks[last].at->segment == NULL && gain(g, first, last) > 0) {
            while (first < last && gain(g, first + 1, last) > 0) first++;
            g->windows[g->window_count++] = (window){first, last, cost_between(g, first, last), gain(g, first, last)};
            ends = true;
        }
        if (ends) first = last + 1;
    }
}

/* All that lies side by side, where the smallest windows are not enough: what lies between them adds to their slots. */
static void find_all_slots(ground *g) {
    g->window_count = 0;
    for (uint32_t first = 0, last = 0; last < g->count; last++) {
        if (touches_next(g, last)) continue;
        if (g->blocks[last].at->segment == NULL && gain(g, first, last) > 0) {
            g->windows[g->window_count++] = (window){first, last, cost_between(g, first, last), gain(g, first, last)};
        }
        first = last + 1;
    }
}

static int cheapest_first(const void *left, const void *right) {
    const window *a = left, *b = right;
    uint64_t x = a->cost / a->slots, y = b->cost / b->slots;
    return x != y ? (x < y ? -1 : 1) : a->first < b->first ? -1 : a->first > b->first;
}

/* How many of the windows, the cheapest first, gain the slots that are missing; 0: all are too few. */
static uint32_t enough_slots(ground *g, uint64_t *cost) {
    qsort(g->windows, g->window_count, sizeof(window), cheapest_first);
    uint64_t slots = 0;
    *cost = 0;
    for (uint32_t i = 0; i < g->window_count; i++) {
        slots += g->windows[i].slots;
        *cost += g->windows[i].cost;
        if (slots >= g->lack->slots) return i + 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ choosing */

static uint32_t mark(const ground *g, const window *w) {
    uint32_t marked = 0;
    for (uint32_t i = w->first; i <= w->last; i++) {
        for (uint32_t e = g->blocks[i].from; e < g->blocks[i].to; e++, marked++) g->entries[e]->planned = true;
    }
    return marked;
}

static uint32_t plan(ground *g) {
    window piece = {0};
    bool in_one_piece = find_piece(g, &piece);
    uint64_t cost = 0;
    uint32_t windows = 0, marked = 0;
    if (g->lack->slots > 0) {
        find_slots(g);
        windows = enough_slots(g, &cost);
        if (windows == 0) {
            find_all_slots(g);
            windows = enough_slots(g, &cost);
        }
    }
    if (in_one_piece && (windows == 0 || piece.cost <= cost)) return mark(g, &piece);
    for (uint32_t i = 0; i < windows; i++) marked += mark(g, &g->windows[i]);
    return marked;
}

uint32_t victims_plan(const shortage *lack, swapped **entries, uint32_t count) {
    ground g = {.lack = lack, .entries = entries};
    g.blocks = malloc(count * sizeof(movable));
    g.windows = malloc(count * sizeof(window));
    uint32_t marked = 0;
    if (g.blocks != NULL && g.windows != NULL) {
        survey(&g, count);
        marked = plan(&g);
    }
    free(g.blocks);
    free(g.windows);
    return marked;
}
