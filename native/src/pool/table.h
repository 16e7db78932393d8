/*
 * table.h - address -> live block. Open addressing, linear probing, no tombstones.
 */
#ifndef LACUNA_TABLE_H
#define LACUNA_TABLE_H

#include "pool/block.h"

typedef struct table_entry {
    uint64_t address; /* 0 = empty: no block lies at the null pointer */
    block *block;
} table_entry;

/*
 * Invariants: capacity is a power of two; used < capacity; between the home of an entry and its place no entry is
 * empty. Addresses are multiples of UNIT_BYTES.
 */
typedef struct table {
    table_entry *entries;
    uint64_t used;
    uint64_t capacity;
    uint32_t shift; /* 64 - log2(capacity) */
} table;

/* Makes sure that one more entry finds room. False when the kernel gives no memory for a table that is full. */
bool table_reserve_grow(table *t);
void table_close(table *t);

static inline bool table_reserve(table *t) {
    return __builtin_expect(t->used * 2 < t->capacity, 1) || table_reserve_grow(t);
}

static inline uint64_t table_home(const table *t, uint64_t address) {
    return (address / UNIT_BYTES * UINT64_C(0x9E3779B97F4A7C15)) >> t->shift;
}

static inline void table_add(table *t, uint64_t address, block *b) {
    uint64_t mask = t->capacity - 1, i = table_home(t, address);
    while (t->entries[i].address != 0) i = (i + 1) & mask;
    t->entries[i] = (table_entry){address, b};
    t->used++;
}

/* The block at this address, or NULL. */
static inline block *table_find(const table *t, uint64_t address) {
    if (t->used == 0 || address == 0) return NULL;
    uint64_t mask = t->capacity - 1, i = table_home(t, address);
    while (t->entries[i].address != address) {
        if (t->entries[i].address == 0) return NULL;
        i = (i + 1) & mask;
    }
    return t->entries[i].block;
}

/* Removes an address that is in the table. */
static inline void table_remove(table *t, uint64_t address) {
    uint64_t mask = t->capacity - 1, hole = table_home(t, address);
    while (t->entries[hole].address != address) hole = (hole + 1) & mask;
    for (uint64_t i = (hole + 1) & mask; t->entries[i].address != 0; i = (i + 1) & mask) {
        uint64_t home = table_home(t, t->entries[i].address);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            t->entries[hole] = t->entries[i];
            hole = i;
        }
    }
    t->entries[hole] = (table_entry){0, NULL};
    t->used--;
}

#endif
