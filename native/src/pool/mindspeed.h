/*
 * mindspeed.h - MindSpeed's two-lifetime pools as a policy of a live process (docs/lifetime-pools.md; the readable model is
 * Java's LifetimePoolAllocator). Memory lies in segments of the stock ranges, on shelves of its own.
 */
#ifndef LACUNA_MINDSPEED_H
#define LACUNA_MINDSPEED_H

#include "pool/block.h"
#include "pool/policy.h"
#include "pool/survival.h"
#include "types.h"

/* What both recorders know of a live block; in the list of unused ones `next` is the next one's number. */
typedef struct mindspeed_birth {
    survival_birth forward, step;
    uint32_t next;
} mindspeed_birth;

/*
 * Invariant: a live block's live.birth is 0 or the number of one of `births`, which is no other block's and not unused; 0 is
 * nobody's.
 */
struct mindspeed {
    survival forward, step;
    bool exact; /* set-up, where everything is long */
    bool capped; /* a cap was ever set: only then is its refusal told apart from the device's */
    uint64_t usable_bytes; /* reserved and free, after the device was last asked; 0: never */
    mindspeed_birth *births;
    uint32_t birth_count, birth_room, unused;
};

/* From now on requests are recorded, beginning with nothing known. False without memory. */
bool mindspeed_begin(lacuna_agent *a);
/* No more: what was recorded is forgotten, also by the blocks. Blocks and segments stay. */
void mindspeed_end(lacuna_agent *a);

/* A mark, nested or unmatched ones too. */
void mindspeed_phase(mindspeed *m, enum lacuna_phase phase, bool begin);
/* Whether a request is for the long pools. Once a request: its look-ups count. */
bool mindspeed_is_long(mindspeed *m, uint64_t bytes, uint64_t rounded);
void mindspeed_born(mindspeed *m, block *b, uint64_t bytes);
void mindspeed_freed(mindspeed *m, block *b);

/* The levels before the flush; NULL: memory is to be given back. */
block *mindspeed_serve(lacuna_agent *a, const alloc_request *r);
/* After it: a new segment, which for a small request joins a large pool, however hopeless that seems. */
block *mindspeed_insist(lacuna_agent *a, const alloc_request *r);
/* The segment that a failed request could not get. */
uint64_t mindspeed_tried(const alloc_request *r);

#endif
