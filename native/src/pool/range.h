/*
 * range.h - one virtual range of the segregated policy and what lies in it: blocks, pieces, holes. Keeps books and order;
 * decides nothing and calls no device.
 */
#ifndef LACUNA_RANGE_H
#define LACUNA_RANGE_H

#include "pool/order.h"

/*
 * Tiled by live and pending blocks, pieces (BLOCK_FREE: free addresses that hold memory) and holes (BLOCK_HOLE: whole
 * slots that hold none).
 *
 * Invariants: no two pieces and no two holes touch; holes begin and end at slots; each piece is in `pieces`, each hole in
 * `holes`; idle_slots counts the slots that lie wholly in a piece, mapped_slots those that do not lie in a hole; `top` ends
 * where the range ends; `runs` counts the runs of mapped slots, which the agent's `segments` does too. Pieces that hold more than
 * whole slots are split blocks.
 */
typedef struct range {
    order pieces, holes;
    block *top;
    uint64_t bytes;
    uint64_t mapped_slots, idle_slots, runs;
    uint8_t pool; /* the short pool of the size class, whose address space this is */
} range;

/* A place for a block: it begins in `first` or above it. */
typedef struct position {
    block *first; /* NULL: there is none */
    uint64_t offset;
    uint64_t need; /* slots without memory */
} position;

#define RANGE_HOLES_SPANNED 16 /* by one position */
#define RANGE_OCCUPY_NODES 5   /* that range_occupy() may take from the arena */
#define RANGE_UNMAP_NODES 2    /* the same of range_unmap() */

/* Slots of a position that hold no memory yet. */
typedef struct slot_run {
    uint64_t first, count;
    uint64_t filled; /* so many of them do by now */
} slot_run;

/* Whole slots in a stretch of addresses. */
static inline uint64_t whole_slots(uint64_t offset, uint64_t end) {
    uint64_t first = (offset + SLOT_BYTES - 1) / SLOT_BYTES;
    return end / SLOT_BYTES > first ? end / SLOT_BYTES - first : 0;
}

static inline bool is_open_ground(const block *b) {
    return b != NULL && (b->state == BLOCK_FREE || b->state == BLOCK_HOLE);
}

/* The whole range one hole. */
void range_open(lacuna_agent *a, range *r, uint8_t pool);

/* Idle slots that a block there would touch. */
uint64_t range_idle_in(const position *at, uint64_t size);

/* Cuts a block out, all touched slots counted as mapped; those that were not are listed. Returns their number. */
uint64_t range_occupy(lacuna_agent *a, range *r, const position *at, uint64_t size, block **taken,
                      slot_run runs[RANGE_HOLES_SPANNED]);

/* The same where the position lies in one piece. Takes two nodes at most. */
block *range_carve(lacuna_agent *a, range *r, block *piece, uint64_t offset, uint64_t size);

/* A block becomes a piece, together with the pieces beside it. */
block *range_release(lacuna_agent *a, range *r, block *b);

/* Whole slots of a piece become a hole. Returns the piece above them, or NULL. */
block *range_unmap(lacuna_agent *a, range *r, block *piece, uint64_t first, uint64_t count);

#endif
