/*
 * stock.h - the stock policy: the rules of PyTorch's native caching allocator (docs/allocator.md, "Stock").
 */
#ifndef LACUNA_STOCK_H
#define LACUNA_STOCK_H

#include "pool/order.h"

/* The free blocks of one pool and one stream. A block never serves another stream. */
typedef struct shelf {
    struct shelf *next;
    uint64_t stream;
    order blocks;
} shelf;

/* Invariant: every segment's shelf is the one of its pool and stream, so shelves are kept until the end. */
typedef struct stock {
    shelf *shelves[2]; /* by pool, the last one used in front */
    uint64_t segments[2];
    uint64_t split_blocks[2]; /* on a shelf, of a segment that is in use elsewhere */
    uint64_t split_counted[2]; /* the same as the statistics know it */
    uint64_t releasable_bytes[2];          /* of wholly free segments */
    uint32_t segments_created;
} stock;

/* The size of the segment that a miss of this rounded size takes from the device. */
uint64_t stock_segment_bytes(uint64_t rounded);

/* Best fit in what is mapped; NULL when nothing fits. */
block *stock_take_cached(lacuna_agent *a, uint8_t pool, uint64_t rounded, uint64_t stream);

/* A block from a new segment; NULL when the pool may not grow or the device refuses. */
block *stock_take_new(lacuna_agent *a, uint8_t pool, uint64_t rounded, uint64_t stream);

/* A block becomes free. */
void stock_put(lacuna_agent *a, block *b);

/* Gives wholly free segments back, large ones first, each pool by offset, until reserved <= target or none is left. */
void stock_release(lacuna_agent *a, uint64_t target);

/* For a copy of another agent: a segment that lies there, as one block that is on no shelf; then block for block from the low
 * end, `used` or free, of which the rest above is returned. With nodes for it: 2, then 1 each. */
block *stock_adopt(lacuna_agent *a, uint8_t pool, uint64_t offset, uint64_t bytes, uint64_t stream, uint32_t number);
block *stock_adopt_part(lacuna_agent *a, block *b, uint64_t size, bool used);

void stock_close(stock *s);

#endif
