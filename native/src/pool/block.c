#include "pool/block.h"

#include "prim/pages.h"

_Static_assert(sizeof(node) == 128, "two cache lines a block");

static bool add_slab(arena *a) {
    node *slab = pages_take(ARENA_SLAB_NODES * sizeof *slab);
    if (slab == NULL) return false;
    slab[0].next = a->slabs;
    a->slabs = slab;
    for (uint64_t i = ARENA_SLAB_NODES - 1; i > 0; i--) arena_give(a, &slab[i]);
    return true;
}

bool arena_reserve(arena *a, uint64_t count) {
    while (a->spare < count) {
        if (!add_slab(a)) return false;
    }
    return true;
}

void arena_close(arena *a) {
    while (a->slabs != NULL) {
        node *slab = a->slabs;
        a->slabs = slab->next;
        pages_give(slab, ARENA_SLAB_NODES * sizeof *slab);
    }
}
