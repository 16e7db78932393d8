/*
 * order.h - free blocks ordered by (size, offset): best fit, and a walk upwards from there.
 *
 * Bins by size (exact up to 8 KiB, then eight to a power of two), a treap in each bin, the bin's members linked in
 * order. In the usual case a bin holds one block or a few, and every operation is a handful of instructions.
 */
#ifndef LACUNA_ORDER_H
#define LACUNA_ORDER_H

#include "pool/block.h"

#define ORDER_EXACT 16
#define ORDER_BINS 400 /* sizes up to 2^60 */
#define ORDER_WORDS ((ORDER_BINS + 63) / 64)

typedef struct order_bin {
    block *root;
    block *first; /* the least by (size, offset) */
} order_bin;

/* Invariant: bit i of occupied is set iff bins[i] is not empty; a block is in the bin of its size. */
typedef struct order {
    uint64_t occupied[ORDER_WORDS];
    order_bin bins[ORDER_BINS];
} order;

void order_insert(order *o, block *b);
void order_remove(order *o, block *b);

/* Changes the place of a block that is in the order. */
void order_move(order *o, block *b, uint64_t offset, uint64_t size);

/* The least block with size >= `size`, or NULL. */
block *order_at_least(const order *o, uint64_t size);

/* The next one up, or NULL. */
block *order_next(const order *o, const block *b);

/* The least of all, or NULL. */
block *order_first(const order *o);

/* The greatest of all, or NULL. */
block *order_last(const order *o);

/* The next one down, or NULL. */
block *order_previous(const order *o, const block *b);

#endif
