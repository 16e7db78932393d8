/*
 * stock.h - the stock policy: the rules of PyTorch's native caching allocator (docs/allocator.md, "Stock").
 */
#ifndef LACUNA_STOCK_H
#define LACUNA_STOCK_H

#include "lacuna.h"
#include "pool/order.h"

/* The free blocks of one keeper and one stream. A block never serves another stream. A keeper is a stock pool, or one of
 * MindSpeed's (mindspeed.h), by the code of ours for that lifetime and size class; the range is that of its size class. */
typedef struct shelf {
    struct shelf *next;
    uint64_t stream;
    uint8_t keeper; /* lacuna_pool */
    order blocks;
} shelf;

/* Invariant: every segment's shelf is the one of its keeper and stream, so shelves are kept until the end. */
typedef struct stock {
    shelf *shelves[LACUNA_POOL_COUNT]; /* by keeper, the last one used in front */
    uint64_t segments[2];
    uint64_t split_blocks[2]; /* on a shelf, of a segment that is in use elsewhere */
    uint64_t split_counted[2]; /* the same as the statistics know it */
    uint64_t releasable_bytes[2];          /* of wholly free segments */
    uint32_t segments_created;
    bool divisible; /* slots of a segment may go back by themselves: each was mapped for itself */
} stock;

/* The size of the segment that a miss of this rounded size takes from the device. */
uint64_t stock_segment_bytes(uint64_t rounded);

/* The range in which a keeper's segments lie. */
static inline uint8_t stock_range(uint8_t keeper) {
    return keeper & 1;
}

/* Best fit in what is mapped, which stays free; NULL when nothing fits. */
block *stock_best_fit(lacuna_agent *a, uint8_t keeper, uint64_t rounded, uint64_t stream);
/* Hands such a block out. */
block *stock_take(lacuna_agent *a, block *b, uint64_t rounded);
/* Both. */
block *stock_take_cached(lacuna_agent *a, uint8_t keeper, uint64_t rounded, uint64_t stream);

/* A block from a new segment of so many bytes, at addresses that none had before where there are any; NULL when it may not
 * be had. */
block *stock_take_segment(lacuna_agent *a, uint8_t keeper, uint64_t bytes, uint64_t rounded, uint64_t stream);

/* A block from a new segment of the stock policy; NULL when the pool may not grow or the device refuses. */
block *stock_take_new(lacuna_agent *a, uint8_t pool, uint64_t rounded, uint64_t stream);

/* A free segment of so many bytes, whole slots, for large blocks; false when the pool may not grow or the device refuses. */
bool stock_make_room(lacuna_agent *a, uint64_t bytes);

/* A block becomes free. What holds whole slots goes back to the device where its side drains. */
void stock_put(lacuna_agent *a, block *b);

/* Gives a keeper's wholly free segments back by offset, until reserved <= target or none is left; of segments that were left
 * behind whole free slots too, where they are divisible. What is left of such a segment are segments of their own, the lowest
 * with its number. */
void stock_release(lacuna_agent *a, uint8_t keeper, uint64_t target);

/* For a copy of another agent: a segment that lies there, as one block that is on no shelf; then block for block from the low
 * end, `used` or free, of which the rest above is returned. With nodes for it: 2, then 1 each. */
block *stock_adopt(lacuna_agent *a, uint8_t keeper, uint64_t offset, uint64_t bytes, uint64_t stream, uint32_t number);
block *stock_adopt_part(lacuna_agent *a, block *b, uint64_t size, bool used);

void stock_close(stock *s);

#endif
