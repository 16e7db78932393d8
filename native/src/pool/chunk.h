/*
 * chunk.h - physical memory of the stock pools: which slots of their ranges hold some.
 */
#ifndef LACUNA_CHUNK_H
#define LACUNA_CHUNK_H

#include "pool/block.h"

#define STOCK_POOLS 2

/*
 * Invariants: mapped[p] has a bit per slot of pool p's range that holds memory; the pool's reserved bytes are its count.
 * No slot of pool p below lowest_unmapped[p] is unmapped; none from unused[p] on ever held memory.
 */
typedef struct chunks {
    uint64_t slots; /* per range */
    uint64_t *mapped[STOCK_POOLS];
    uint64_t lowest_unmapped[STOCK_POOLS];
    uint64_t unused[STOCK_POOLS];
} chunks;

bool chunks_open(chunks *c, uint64_t slots);
void chunks_close(chunks *c);

/* How many of the slots first … last of a pool hold no memory. */
uint64_t chunks_missing(const chunks *c, uint8_t pool, uint64_t first, uint64_t last);

/* Where a new run comes to lie: lowest, or above all that ever held memory, and lowest again where the range ends there. */
enum run_place { RUN_LOWEST, RUN_UNUSED };

/* Takes a run of `count` unmapped slots of a pool from the device; false where it is not to be had. */
bool chunks_take_run(lacuna_agent *a, uint8_t pool, uint64_t count, enum run_place place, uint64_t *first);

/* Slots that hold memory from now on are a segment's. */
void chunks_adopt_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count);

/* Gives slots of a segment back, of which so many segments are left; false when the device refuses, and they stay. */
bool chunks_give_run(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count, uint64_t left);

#endif
