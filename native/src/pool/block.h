/*
 * block.h - the pieces that the address space is cut into, and the arena that their descriptions live in.
 */
#ifndef LACUNA_BLOCK_H
#define LACUNA_BLOCK_H

#include "device/device.h"

#include <stdbool.h>
#include <stdint.h>

#define UNIT_BYTES UINT64_C(512)        /* PyTorch's kMinBlockSize: every block is a multiple of it */
#define ARENA_SLAB_NODES 2048             /* 256 KiB a slab */
#define SMALL_BYTES (UINT64_C(1) << 20) /* PyTorch's kSmallSize: the largest request of the small pools */

/* The size of the block that serves a request. */
static inline uint64_t rounded_to_units(uint64_t bytes) {
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
}

enum block_state { BLOCK_UNUSED = 0, BLOCK_FREE = 1, BLOCK_LIVE = 2, BLOCK_PENDING = 3, BLOCK_HOLE = 4 };

/*
 * One segment of the stock policy: a run of mapped slots taken in one go. Blocks of other segments never merge with its
 * own. `number` is its place in the order of creation over both stock pools.
 */
typedef struct segment {
    uint64_t offset; /* in the pool's range */
    uint64_t bytes;
    struct shelf *shelf; /* the free blocks of its pool and stream; its own go there */
    uint32_t number;
} segment;

/* A live or pending block is also used by `stream`, which is not the one that it was allocated on. */
typedef struct stream_use {
    struct stream_use *next;
    uint64_t stream;
    uint64_t moment; /* of the free, on devices with real streams: see fence.h */
} stream_use;

/*
 * A run of addresses of one pool's range: handed out, freed but still in use by a stream, or free.
 *
 * Invariants: size is a multiple of UNIT_BYTES and > 0. The blocks of a segment (stock) or of a whole range
 * (segregated) form a list by address, without gaps and without two free neighbours: above->offset = offset + size.
 * FREE: holds memory, and is in exactly one order (see order.h). HOLE: the same without memory (segregated only). LIVE: in the table of addresses; every slot that it touches is mapped.
 * PENDING: in the list of pending blocks, uses != NULL until its last stream is done. The union holds what the
 * state needs. In front lies what finding and cutting a block reads, so that a miss costs one cache line.
 */
typedef struct block {
    uint64_t offset; /* in the pool's range */
    uint64_t size;
    struct block *below, *above; /* neighbours by address, NULL at the ends */
    segment *segment;            /* NULL in the segregated pools */
    uint32_t priority;           /* of the order's treap; decides nothing that can be seen */
    uint8_t pool;                /* lacuna_pool */
    uint8_t state;               /* block_state */
    bool young;                  /* in the list of blocks whose lifetime is not yet known */
    uint8_t lent;                /* entries of the swap engine that hold it, all LIVE: see swap.h */
    union {
        struct {
            struct block *left, *right;    /* in the treap */
            struct block *smaller, *larger; /* next in order within the bin */
        } free;
        struct {
            uint64_t requested;
            uint64_t stream;
            struct block *elder, *junior; /* young: list by birth; pending: junior is the next one freed */
            stream_use *uses;
            uint64_t born; /* events counted before it */
            uint64_t key;  /* what the prediction for it was made from */
            uint32_t birth; /* 0, or its number in mindspeed.h */
        } live;
    };
} block;

/* A node of the arena holds one of these. */
typedef union node {
    _Alignas(64) block block;
    segment segment;
    stream_use use;
    union node *next;
} node;

/*
 * Fixed-size nodes in slabs taken from the kernel; returned nodes are used again, slabs stay until the end.
 * Invariant: spare = length of the list of unused nodes.
 */
typedef struct arena {
    node *unused;
    uint64_t spare;
    node *slabs; /* the first node of each slab links to the previous slab */
    uint32_t seed;
} arena;

/* Makes sure that `count` nodes can be taken without fail. False when the kernel gives no memory. */
bool arena_reserve(arena *a, uint64_t count);
void arena_close(arena *a);

/* A node that arena_reserve() promised. Its content is undefined. */
static inline node *arena_take(arena *a) {
    node *n = a->unused;
    a->unused = n->next;
    a->spare--;
    return n;
}

static inline void arena_give(arena *a, node *n) {
    n->block.state = BLOCK_UNUSED;
    n->next = a->unused;
    a->unused = n;
    a->spare++;
}

/* A block of a pool, in no list yet. */
static inline block *block_new(arena *a, uint8_t pool, uint8_t state, uint64_t offset, uint64_t size) {
    block *b = &arena_take(a)->block;
    a->seed = a->seed * 1664525u + 1013904223u; /* Numerical Recipes' generator: the treap only wants variety */
    b->offset = offset;
    b->size = size;
    b->below = b->above = NULL;
    b->segment = NULL;
    b->priority = a->seed;
    b->pool = pool;
    b->state = state;
    b->young = false;
    b->lent = 0;
    return b;
}

static inline void block_delete(arena *a, block *b) {
    arena_give(a, (node *)(void *)b);
}

static inline uint64_t block_end(const block *b) {
    return b->offset + b->size;
}

static inline bool block_is_free(const block *b) {
    return b != NULL && b->state == BLOCK_FREE;
}

/* The slots that a block touches. */
static inline uint64_t first_slot(uint64_t offset) {
    return offset / SLOT_BYTES;
}

static inline uint64_t last_slot(uint64_t offset, uint64_t size) {
    return (offset + size - 1) / SLOT_BYTES;
}

/* Puts `b` into the list by address right above `below`. */
static inline void block_link_above(block *below, block *b) {
    b->below = below;
    b->above = below->above;
    if (b->above != NULL) b->above->below = b;
    below->above = b;
}

/* Takes `b` out of the list by address. */
static inline void block_unlink(block *b) {
    if (b->below != NULL) b->below->above = b->above;
    if (b->above != NULL) b->above->below = b->below;
}

#endif
