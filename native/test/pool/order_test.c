/* The order of free blocks and the table of addresses against naive ones. */
#include "check.h"
#include "pool/order.h"
#include "pool/table.h"

#include <stdbool.h>

#define BLOCKS 600

static block *expected_at_least(block *all[], const bool in[], uint64_t size, const block *above) {
    block *best = NULL;
    for (int i = 0; i < BLOCKS; i++) {
        block *b = all[i];
        if (!in[i] || b->size < size) continue;
        if (above != NULL &&
            !(b->size > above->size || (b->size == above->size && b->offset > above->offset))) continue;
        if (best == NULL || b->size < best->size || (b->size == best->size && b->offset < best->offset)) best = b;
    }
    return best;
}

static uint64_t any_size(uint64_t *seed) {
    return UNIT_BYTES * (1 + random_below(seed, UINT64_C(1) << random_below(seed, 30)));
}

static void finds_the_best_fit_and_walks_upwards(void) {
    static order o;
    arena nodes = {0};
    CHECK(arena_reserve(&nodes, BLOCKS));
    block *all[BLOCKS];
    bool in[BLOCKS] = {false};
    uint64_t seed = 7;
    for (int i = 0; i < BLOCKS; i++) {
        all[i] = block_new(&nodes, LACUNA_POOL_SHORT_LARGE, BLOCK_FREE, (uint64_t)i * (UINT64_C(1) << 20), any_size(&seed));
    }
    for (uint64_t round = 0; round < effort(60000, 2000000); round++) {
        int i = (int)random_below(&seed, BLOCKS);
        if (in[i] && random_below(&seed, 3) == 0) {
            order_move(&o, all[i], all[i]->offset, random_below(&seed, 2) ? any_size(&seed) : all[i]->size + UNIT_BYTES);
        } else if (in[i]) {
            order_remove(&o, all[i]);
            in[i] = false;
        } else {
            all[i]->size = any_size(&seed);
            order_insert(&o, all[i]);
            in[i] = true;
        }
        if (round % 16 != 0) continue;
        uint64_t size = any_size(&seed);
        block *found = order_at_least(&o, size);
        CHECK(found == expected_at_least(all, in, size, NULL));
        if (found != NULL) CHECK(order_next(&o, found) == expected_at_least(all, in, size, found));
        if (found != NULL && order_next(&o, found) != NULL) CHECK(order_previous(&o, order_next(&o, found)) == found);
        if (found == NULL && order_last(&o) != NULL) CHECK(order_last(&o)->size < size);
        if (order_last(&o) != NULL) CHECK(order_next(&o, order_last(&o)) == NULL);
        if (order_first(&o) != NULL) CHECK(order_previous(&o, order_first(&o)) == NULL);
        CHECK(order_first(&o) == expected_at_least(all, in, 0, NULL));
    }
    arena_close(&nodes);
}

static void keeps_every_address_through_growth_and_removal(void) {
    enum { ADDRESSES = 30000 };
    static bool in[ADDRESSES];
    static block blocks[ADDRESSES];
    table t = {0};
    uint64_t seed = 11, used = 0;
    for (uint64_t round = 0; round < effort(400000, 4000000); round++) {
        uint64_t i = random_below(&seed, ADDRESSES);
        uint64_t address = (i + 1) * (i % 3 == 0 ? UNIT_BYTES : SLOT_BYTES + UNIT_BYTES);
        if (i % 3 != 0) address += UINT64_C(1) << 40;
        CHECK(table_find(&t, address) == (in[i] ? &blocks[i] : NULL));
        if (in[i]) {
            table_remove(&t, address);
            used--;
        } else {
            CHECK(table_reserve(&t));
            table_add(&t, address, &blocks[i]);
            used++;
        }
        in[i] = !in[i];
        CHECK(table_find(&t, address) == (in[i] ? &blocks[i] : NULL));
        CHECK_EQ(t.used, used);
    }
    CHECK(table_find(&t, 0) == NULL);
    table_close(&t);
}

int main(void) {
    RUN(finds_the_best_fit_and_walks_upwards);
    RUN(keeps_every_address_through_growth_and_removal);
    return 0;
}
