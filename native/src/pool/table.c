#include "pool/table.h"

#include "prim/pages.h"

#define FIRST_CAPACITY 4096

bool table_reserve_grow(table *t) {
    uint64_t capacity = t->capacity == 0 ? FIRST_CAPACITY : t->capacity * 2;
    table grown = {pages_take(capacity * sizeof(table_entry)), 0, capacity, 0};
    /* Over-full is slow, not wrong: only the last eighth is refused. */
    if (grown.entries == NULL) return t->used + 1 < t->capacity - t->capacity / 8;
    grown.shift = (uint32_t)(64 - __builtin_ctzll(capacity));
    for (uint64_t i = 0; i < t->capacity; i++) {
        if (t->entries[i].address != 0) table_add(&grown, t->entries[i].address, t->entries[i].block);
    }
    table_close(t);
    *t = grown;
    return true;
}

void table_close(table *t) {
    pages_give(t->entries, t->capacity * sizeof(table_entry));
}
