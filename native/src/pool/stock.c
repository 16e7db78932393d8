#include "pool/stock.h"

#include "pool/state.h"
#include "prim/pages.h"

#define SMALL_SEGMENT (UINT64_C(2) << 20)     /* PyTorch's kSmallBuffer */
#define LARGE_SEGMENT (UINT64_C(20) << 20)    /* kLargeBuffer */
#define MIN_LARGE_ALLOC (UINT64_C(10) << 20)  /* kMinLargeAlloc: from here on a request has a segment of its own */
#define LARGE_SPLIT_REST (UINT64_C(1) << 20)  /* a large block is split only for a rest above kSmallSize */

uint64_t stock_segment_bytes(uint64_t rounded) {
    if (rounded <= SMALL_BYTES) return SMALL_SEGMENT;
    if (rounded < MIN_LARGE_ALLOC) return LARGE_SEGMENT;
    return (rounded + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES;
}

static bool is_whole(const block *b) {
    return b->size == b->segment->bytes;
}

/* ------------------------------------------------------------------ shelves */

/* The shelf of this stream, moved to the front; NULL where it has none yet. */
static shelf *find_shelf(stock *s, uint8_t keeper, uint64_t stream) {
    shelf **at = &s->shelves[keeper];
    while (*at != NULL && (*at)->stream != stream) at = &(*at)->next;
    shelf *found = *at;
    if (found != NULL && found != s->shelves[keeper]) {
        *at = found->next;
        found->next = s->shelves[keeper];
        s->shelves[keeper] = found;
    }
    return found;
}

static shelf *make_shelf(stock *s, uint8_t keeper, uint64_t stream) {
    shelf *made = find_shelf(s, keeper, stream);
    if (made != NULL) return made;
    made = pages_take(sizeof *made);
    if (made == NULL) return NULL;
    made->stream = stream;
    made->keeper = keeper;
    made->next = s->shelves[keeper];
    s->shelves[keeper] = made;
    return made;
}

static void count_releasable(lacuna_agent *a, uint8_t pool, uint64_t bytes) {
    a->stock.releasable_bytes[pool] += bytes;
    a->counters.releasable_bytes += bytes;
}

/* What of a free block goes back once other rules are in force. */
static uint64_t goes_with_its_side(const lacuna_agent *a, const block *b) {
    if (is_whole(b)) return b->size;
    return a->stock.divisible ? whole_slots(b->offset, block_end(b)) * SLOT_BYTES : 0;
}

/* A free block goes to its shelf. A wholly free segment is what the pool can release. */
static void shelve(lacuna_agent *a, block *b) {
    order_insert(&b->segment->shelf->blocks, b);
    a->counters.cache_bytes[side_of(b)] += goes_with_its_side(a, b);
    if (is_whole(b)) {
        count_releasable(a, b->pool, b->size);
    } else {
        a->stock.split_blocks[b->pool]++;
    }
}

static void unshelve(lacuna_agent *a, block *b) {
    a->counters.cache_bytes[side_of(b)] -= goes_with_its_side(a, b);
    if (is_whole(b)) {
        count_releasable(a, b->pool, -b->size);
    } else {
        a->stock.split_blocks[b->pool]--;
    }
    order_remove(&b->segment->shelf->blocks, b);
}

/* Ends an operation on a pool: only what it did in the whole counts. */
static void count_split_blocks(lacuna_agent *a, uint8_t pool) {
    gauge_change(&a->statistics.split_blocks, pool, a->stock.split_blocks[pool] - a->stock.split_counted[pool]);
    a->stock.split_counted[pool] = a->stock.split_blocks[pool];
}

/* ------------------------------------------------------------------ taking */

/* Cuts `rounded` from the low end of a free block that is on no shelf, and shelves the rest if it is worth a block. */
static block *cut(lacuna_agent *a, block *b, uint64_t rounded) {
    uint64_t rest = b->size - rounded;
    if (b->pool == LACUNA_POOL_STOCK_SMALL ? rest >= UNIT_BYTES : rest > LARGE_SPLIT_REST) {
        block *upper = block_new(&a->arena, b->pool, BLOCK_FREE, b->offset + rounded, rest);
        upper->segment = b->segment;
        b->size = rounded;
        block_link_above(b, upper);
        shelve(a, upper);
    }
    return b;
}

block *stock_best_fit(lacuna_agent *a, uint8_t keeper, uint64_t rounded, uint64_t stream) {
    shelf *s = find_shelf(&a->stock, keeper, stream);
    return s == NULL ? NULL : order_at_least(&s->blocks, rounded);
}

block *stock_take(lacuna_agent *a, block *b, uint64_t rounded) {
    unshelve(a, b);
    b = cut(a, b, rounded);
    count_split_blocks(a, b->pool);
    return b;
}

block *stock_take_cached(lacuna_agent *a, uint8_t keeper, uint64_t rounded, uint64_t stream) {
    block *b = stock_best_fit(a, keeper, rounded, stream);
    return b == NULL ? NULL : stock_take(a, b, rounded);
}

static block *take_new(lacuna_agent *a, uint8_t keeper, uint64_t bytes, uint64_t rounded, uint64_t stream, enum run_place place) {
    uint8_t pool = stock_range(keeper);
    uint64_t first;
    shelf *s = make_shelf(&a->stock, keeper, stream);
    if (s == NULL || !arena_reserve(&a->arena, 3)) return NULL; /* the segment, the block, the rest */
    if (!chunks_take_run(a, pool, bytes / SLOT_BYTES, place, &first)) return NULL;
    segment *home = &arena_take(&a->arena)->segment;
    *home = (segment){first * SLOT_BYTES, bytes, s, a->stock.segments_created++};
    block *b = block_new(&a->arena, pool, BLOCK_FREE, home->offset, bytes);
    b->segment = home;
    b = cut(a, b, rounded);
    count_split_blocks(a, pool);
    return b;
}

block *stock_take_new(lacuna_agent *a, uint8_t pool, uint64_t rounded, uint64_t stream) {
    return take_new(a, pool, stock_segment_bytes(rounded), rounded, stream, RUN_LOWEST);
}

block *stock_take_segment(lacuna_agent *a, uint8_t keeper, uint64_t bytes, uint64_t rounded, uint64_t stream) {
    return take_new(a, keeper, bytes, rounded, stream, RUN_UNUSED);
}

/* ------------------------------------------------------------------ as it was elsewhere */

block *stock_adopt(lacuna_agent *a, uint8_t keeper, uint64_t offset, uint64_t bytes, uint64_t stream, uint32_t number) {
    uint8_t pool = stock_range(keeper);
    shelf *s = make_shelf(&a->stock, keeper, stream);
    if (s == NULL) return NULL;
    segment *home = &arena_take(&a->arena)->segment;
    *home = (segment){offset, bytes, s, number};
    chunks_adopt_run(a, pool, offset / SLOT_BYTES, bytes / SLOT_BYTES);
    block *b = block_new(&a->arena, pool, BLOCK_FREE, offset, bytes);
    b->segment = home;
    return b;
}

block *stock_adopt_part(lacuna_agent *a, block *b, uint64_t size, bool used) {
    block *upper = NULL;
    if (size < b->size) {
        upper = block_new(&a->arena, b->pool, BLOCK_FREE, b->offset + size, b->size - size);
        upper->segment = b->segment;
        b->size = size;
        block_link_above(b, upper);
    }
    if (!used) shelve(a, b);
    count_split_blocks(a, b->pool);
    return upper;
}

/* ------------------------------------------------------------------ giving back */

/* Whether this side's rules are not in force and its segments may go in parts. */
static bool left_behind(const lacuna_agent *a, enum side side) {
    return a->stock.divisible && side != serving(a);
}

/* Whether a free block, or a part of it, can go back to the device. */
static bool can_go(const block *b, bool in_parts) {
    return is_whole(b) || (in_parts && whole_slots(b->offset, block_end(b)) > 0);
}

/* What lies in `home` from `to` on, above slots that have gone out of `b`, becomes a segment. */
static void keep_above(lacuna_agent *a, block *b, segment *home, uint64_t to) {
    uint64_t end = block_end(b);
    block *lowest = b->above;
    if (to < end) {
        lowest = block_new(&a->arena, b->pool, BLOCK_FREE, to, end - to);
        block_link_above(b, lowest);
    }
    lowest->below = NULL;
    for (block *at = lowest; at != NULL; at = at->above) at->segment = home;
    if (to < end) shelve(a, lowest);
}

/* The same below `from`. */
static void keep_below(lacuna_agent *a, block *b, uint64_t from) {
    if (from > b->offset) {
        b->size = from - b->offset;
        b->above = NULL;
        shelve(a, b);
    } else {
        b->below->above = NULL;
        block_delete(&a->arena, b);
    }
}

/* Gives the whole slots of a free block that is on no shelf back to the device; false when the device refuses. Its ends lie on
 * shelves then, in what is left of its segment. */
static bool release_slots(lacuna_agent *a, block *b) {
    segment *home = b->segment;
    uint64_t first = (b->offset + SLOT_BYTES - 1) / SLOT_BYTES, count = whole_slots(b->offset, block_end(b));
    uint64_t from = first * SLOT_BYTES, to = from + count * SLOT_BYTES, end = home->offset + home->bytes;
    bool below = from > home->offset, above = to < end;
    if ((below || above) && !arena_reserve(&a->arena, 2)) return false; /* a segment, a block */
    if (!chunks_give_run(a, b->pool, first, count, (uint64_t)below + above)) return false;
    segment *upper = home;
    if (below && above) {
        upper = &arena_take(&a->arena)->segment;
        upper->shelf = home->shelf;
        upper->number = a->stock.segments_created++;
    }
    if (below) home->bytes = from - home->offset;
    if (above) {
        upper->offset = to;
        upper->bytes = end - to;
        keep_above(a, b, upper, to);
    }
    if (below) {
        keep_below(a, b, from);
    } else {
        block_delete(&a->arena, b);
    }
    if (!below && !above) arena_give(&a->arena, (node *)(void *)home);
    return true;
}

/* `lower` takes over the block right above it. */
static void swallow_above(lacuna_agent *a, block *lower) {
    block *upper = lower->above;
    lower->size += upper->size;
    block_unlink(upper);
    block_delete(&a->arena, upper);
}

void stock_put(lacuna_agent *a, block *b) {
    uint8_t pool = b->pool;
    b->state = BLOCK_FREE;
    if (block_is_free(b->below)) {
        b = b->below;
        unshelve(a, b);
        swallow_above(a, b);
    }
    if (block_is_free(b->above)) {
        unshelve(a, b->above);
        swallow_above(a, b);
    }
    bool goes = drains(a, side_of(b)) && can_go(b, left_behind(a, side_of(b)));
    if (!goes || !release_slots(a, b)) shelve(a, b);
    count_split_blocks(a, pool);
}

bool stock_make_room(lacuna_agent *a, uint64_t bytes) {
    block *whole = take_new(a, LACUNA_POOL_STOCK_LARGE, bytes, bytes, 0, RUN_LOWEST);
    if (whole == NULL) return false;
    stock_put(a, whole);
    count_split_of(a, LACUNA_POOL_STOCK_LARGE);
    return true;
}

/* ------------------------------------------------------------------ releasing what is free */

/* Merges two lists by offset; the links are free.left, unused off the shelves. */
static block *merge(block *x, block *y) {
    block *head = NULL, **tail = &head;
    while (x != NULL && y != NULL) {
        block **least = x->offset < y->offset ? &x : &y;
        *tail = *least;
        tail = &(*least)->free.left;
        *least = *tail;
    }
    *tail = x != NULL ? x : y;
    return head;
}

/* Takes what can go of a keeper off its shelves, in a list by offset. */
static block *gather(lacuna_agent *a, uint8_t keeper, bool in_parts) {
    block *sorted[64] = {NULL}; /* sorted[i]: none, or a list of 2^i */
    for (shelf *s = a->stock.shelves[keeper]; s != NULL; s = s->next) {
        for (block *b = order_first(&s->blocks), *next; b != NULL; b = next) {
            next = order_next(&s->blocks, b);
            if (!can_go(b, in_parts)) continue;
            unshelve(a, b);
            b->free.left = NULL;
            int i = 0;
            for (; sorted[i] != NULL; i++) {
                b = merge(sorted[i], b);
                sorted[i] = NULL;
            }
            sorted[i] = b;
        }
    }
    block *all = NULL;
    for (int i = 0; i < 64; i++) all = merge(sorted[i], all);
    return all;
}

void stock_release(lacuna_agent *a, uint8_t keeper, uint64_t target) {
    bool in_parts = left_behind(a, side_of_keeper(keeper));
    for (block *b = gather(a, keeper, in_parts), *next; b != NULL; b = next) {
        next = b->free.left;
        if (a->counters.reserved_bytes <= target || !release_slots(a, b)) shelve(a, b);
    }
    if (!in_parts) return;
    count_split_blocks(a, stock_range(keeper));
    count_split_of(a, stock_range(keeper));
}

void stock_close(stock *s) {
    for (int keeper = 0; keeper < LACUNA_POOL_COUNT; keeper++) {
        for (shelf *at = s->shelves[keeper], *next; at != NULL; at = next) {
            next = at->next;
            pages_give(at, sizeof *at);
        }
    }
}
