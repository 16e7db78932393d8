#include "pool/order.h"

static inline uint32_t bin_of(uint64_t size) {
    uint64_t n = size / UNIT_BYTES;
    if (n < ORDER_EXACT) return (uint32_t)n;
    uint32_t log = 63 - (uint32_t)__builtin_clzll(n);
    return ORDER_EXACT + (log - 4) * 8 + (uint32_t)((n >> (log - 3)) & 7);
}

/* Whether (size, offset) of one comes before that of the other. */
static inline bool precedes(uint64_t size, uint64_t offset, uint64_t other_size, uint64_t other_offset) {
    return size != other_size ? size < other_size : offset < other_offset;
}

static inline bool less(const block *a, const block *b) {
    return precedes(a->size, a->offset, b->size, b->offset);
}

/* The first occupied bin from `bin` on, or ORDER_BINS. */
static uint32_t occupied_from(const order *o, uint32_t bin) {
    if (bin >= ORDER_BINS) return ORDER_BINS;
    uint32_t w = bin / 64;
    uint64_t word = o->occupied[w] & (~UINT64_C(0) << (bin & 63));
    while (word == 0) {
        if (++w == ORDER_WORDS) return ORDER_BINS;
        word = o->occupied[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(word);
}

/* ------------------------------------------------------------------ queries */

block *order_first(const order *o) {
    uint32_t bin = occupied_from(o, 0);
    return bin == ORDER_BINS ? NULL : o->bins[bin].first;
}

block *order_at_least(const order *o, uint64_t size) {
    uint32_t bin = bin_of(size);
    block *found = NULL;
    for (block *at = o->bins[bin].root; at != NULL;) {
        if (at->size >= size) {
            found = at;
            at = at->free.left;
        } else {
            at = at->free.right;
        }
    }
    if (found != NULL) return found;
    bin = occupied_from(o, bin + 1);
    return bin == ORDER_BINS ? NULL : o->bins[bin].first;
}

block *order_next(const order *o, const block *b) {
    if (b->free.larger != NULL) return b->free.larger;
    uint32_t bin = occupied_from(o, bin_of(b->size) + 1);
    return bin == ORDER_BINS ? NULL : o->bins[bin].first;
}

/* The greatest of the last occupied bin below `bin`, or NULL. */
static block *greatest_below(const order *o, uint32_t bin) {
    if (bin == 0) return NULL;
    uint32_t w = (bin - 1) / 64;
    uint64_t word = o->occupied[w] & (~UINT64_C(0) >> (63 - ((bin - 1) & 63)));
    while (word == 0) {
        if (w == 0) return NULL;
        word = o->occupied[--w];
    }
    block *b = o->bins[w * 64 + 63 - (uint32_t)__builtin_clzll(word)].root;
    while (b->free.right != NULL) b = b->free.right;
    return b;
}

block *order_last(const order *o) {
    return greatest_below(o, ORDER_BINS);
}

block *order_previous(const order *o, const block *b) {
    return b->free.smaller != NULL ? b->free.smaller : greatest_below(o, bin_of(b->size));
}

/* ------------------------------------------------------------------ changes */

static inline void mark_occupied(order *o, uint32_t bin) {
    o->occupied[bin / 64] |= UINT64_C(1) << (bin & 63);
}

static inline void mark_empty(order *o, uint32_t bin) {
    o->occupied[bin / 64] &= ~(UINT64_C(1) << (bin & 63));
}

static void insert(order *o, uint32_t bin, block *b) {
    order_bin *home = &o->bins[bin];
    if (home->root == NULL) { /* the usual case */
        home->root = home->first = b;
        b->free.left = b->free.right = b->free.smaller = b->free.larger = NULL;
        mark_occupied(o, bin);
        return;
    }
    block *before = NULL, *after = NULL;
    block **at = &home->root;
    while (*at != NULL && (*at)->priority >= b->priority) {
        if (less(b, *at)) {
            after = *at;
            at = &(*at)->free.left;
        } else {
            before = *at;
            at = &(*at)->free.right;
        }
    }
    /* b takes this place; what was below it is split into what is less and what is more. */
    block *rest = *at;
    *at = b;
    block **lesser = &b->free.left, **greater = &b->free.right;
    while (rest != NULL) {
        if (less(rest, b)) {
            before = rest;
            *lesser = rest;
            lesser = &rest->free.right;
            rest = rest->free.right;
        } else {
            after = rest;
            *greater = rest;
            greater = &rest->free.left;
            rest = rest->free.left;
        }
    }
    *lesser = *greater = NULL;

    b->free.smaller = before;
    b->free.larger = after;
    if (after != NULL) after->free.smaller = b;
    if (before != NULL) {
        before->free.larger = b;
    } else {
        home->first = b;
    }
}

static inline bool is_alone(const block *b) {
    return b->free.smaller == NULL && b->free.larger == NULL;
}

static void take_out(order *o, uint32_t bin, block *b) {
    order_bin *home = &o->bins[bin];
    if (is_alone(b)) {
        home->root = home->first = NULL;
        mark_empty(o, bin);
        return;
    }
    block **at = &home->root;
    while (*at != b) at = less(b, *at) ? &(*at)->free.left : &(*at)->free.right;
    block *lesser = b->free.left, *greater = b->free.right;
    while (lesser != NULL && greater != NULL) {
        if (lesser->priority >= greater->priority) {
            *at = lesser;
            at = &lesser->free.right;
            lesser = lesser->free.right;
        } else {
            *at = greater;
            at = &greater->free.left;
            greater = greater->free.left;
        }
    }
    *at = lesser != NULL ? lesser : greater;

    if (b->free.larger != NULL) b->free.larger->free.smaller = b->free.smaller;
    if (b->free.smaller != NULL) {
        b->free.smaller->free.larger = b->free.larger;
    } else {
        home->first = b->free.larger;
    }
}

void order_insert(order *o, block *b) {
    insert(o, bin_of(b->size), b);
}

void order_remove(order *o, block *b) {
    take_out(o, bin_of(b->size), b);
}

/* Whether the block may keep its place among its neighbours in the bin. */
static bool stays_between(const block *b, uint64_t offset, uint64_t size) {
    const block *before = b->free.smaller, *after = b->free.larger;
    return (before == NULL || precedes(before->size, before->offset, size, offset)) &&
           (after == NULL || precedes(size, offset, after->size, after->offset));
}

void order_move(order *o, block *b, uint64_t offset, uint64_t size) {
    uint32_t from = bin_of(b->size), to = bin_of(size);
    bool stays = from == to && stays_between(b, offset, size);
    if (!stays) take_out(o, from, b);
    b->offset = offset;
    b->size = size;
    if (!stays) insert(o, to, b);
}
