/*
 * pieces.c - the C ABI's look at all that an agent has reserved.
 */
#include "agent/agent.h"
#include "guard/image.h"
#include "pool/state.h"

static uint32_t state_of(const image_tile *t) {
    return t->state == BLOCK_LIVE ? LACUNA_PIECE_LIVE : t->state == BLOCK_PENDING ? LACUNA_PIECE_PENDING : LACUNA_PIECE_FREE;
}

static bool begins_segment(const image *i, uint64_t n) {
    const image_tile *t = &i->tiles[n], *before = t - 1;
    return n == 0 || home_of(t->pool) != home_of(before->pool) || t->segment != before->segment ||
           t->offset != before->offset + before->size;
}

static void describe(const lacuna_agent *a, const image *i, lacuna_piece *out, size_t room) {
    lacuna_piece *segment = NULL;
    for (uint64_t n = 0; n < i->count && n < room; n++) {
        const image_tile *t = &i->tiles[n];
        if (begins_segment(i, n)) segment = &out[n];
        uint64_t held = segment == &out[n] ? 0 : segment->segment_bytes;
        out[n] = (lacuna_piece){address_of(a, t->pool, t->offset), t->size, t->requested, 0, t->stream, t->pool, state_of(t)};
        segment->segment_bytes = held + t->size;
    }
}

size_t lacuna_pieces(lacuna_agent *a, lacuna_piece *out, size_t room) {
    if (a == NULL || (out == NULL && room > 0)) return 0;
    state_lock(a);
    image *i = image_take(a);
    state_unlock(a);
    if (i == NULL) return 0;
    size_t count = (size_t)i->count;
    describe(a, i, out, room); /* ranges never move */
    image_drop(i);
    return count;
}
