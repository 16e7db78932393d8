/*
 * chunk.h - physical memory: which slots of the ranges hold some, which of those no block touches, and how chunks
 * move to where they are needed.
 */
#ifndef LACUNA_CHUNK_H
#define LACUNA_CHUNK_H

#include "block.h"

/* A slot of the segregated pools, counted over all ranges, + 1; 0 = none. */
typedef uint32_t chunk_ref;

typedef struct chunk_link {
    chunk_ref older, newer;
} chunk_link;

/*
 * Invariants: mapped[p] has a bit per slot of pool p's range that holds memory; pools' reserved bytes are its count.
 * idle[p] (segregated pools) has a bit per mapped slot that no block touches: exactly those are linked from oldest to
 * newest by the moment that they became so, and idle_count counts them. Stock slots are never idle: wholly free
 * segments are kept by the stock pools. No slot of pool p below lowest_unmapped[p] is unmapped.
 */
typedef struct chunks {
    uint64_t slots; /* per range */
    uint64_t *mapped[LACUNA_POOL_COUNT];
    uint64_t *idle[LACUNA_POOL_COUNT];
    uint64_t lowest_unmapped[LACUNA_POOL_COUNT];
    chunk_link *links;
    chunk_ref oldest, newest;
    uint64_t idle_count;
} chunks;

enum chunk_fill {
    CHUNKS_FILLED,
    CHUNKS_SHORT,  /* neither room to grow nor enough idle chunks: nothing was changed */
    CHUNKS_REFUSED /* the device failed: what had come by then is mapped and idle */
};

bool chunks_open(chunks *c, uint64_t slots);
void chunks_close(chunks *c);

/* How many of the slots first … last of a pool hold no memory. */
uint64_t chunks_missing(const chunks *c, uint8_t pool, uint64_t first, uint64_t last);

/* Fills the `need` unmapped ones of first … last: from idle chunks what growing does not allow, then from the device.
 * The new ones are idle until claimed. With may_grow false everything is taken from idle chunks. */
enum chunk_fill chunks_fill(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last, uint64_t need, bool may_grow);

/* A block now touches first … last, all mapped: those that were idle no longer are. */
void chunks_claim(chunks *c, uint8_t pool, uint64_t first, uint64_t last);

/* No block touches first … last any more: they become idle, or go back to the device where nothing may be cached. */
void chunks_abandon(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last);

/* Gives idle chunks back, oldest first, until reserved <= target or none is left. */
void chunks_release_idle(lacuna_agent *a, uint64_t target);

/* Takes the lowest run of `count` unmapped slots of a stock pool from the device; false where it is not to be had. */
bool chunks_take_run(lacuna_agent *a, uint8_t pool, uint64_t count, uint64_t *first);

/* Gives a stock segment's slots back; false when the device refuses, and they stay. */
bool chunks_give_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count);

#endif
