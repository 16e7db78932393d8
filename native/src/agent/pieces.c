/*
 * pieces.c - the C ABI's look at all that an agent has reserved, taken or told.
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

/* ------------------------------------------------------------------ told to who begins to watch */

/* Tiles of one segment from n on. */
static uint64_t segment_end(const image *i, uint64_t n) {
    uint64_t end = n + 1;
    while (end < i->count && !begins_segment(i, end)) end++;
    return end;
}

static size_t tell_segment(lacuna_agent *a, const image *i, uint64_t from, uint64_t to) {
    const image_tile *first = &i->tiles[from], *last = &i->tiles[to - 1];
    size_t blocks = 0;
    tell(a, LACUNA_EVENT_MAPPED, first->pool, 0, address_of(a, first->pool, first->offset), last->offset + last->size - first->offset);
    for (const image_tile *t = first; t <= last; t++) {
        if (t->state != BLOCK_LIVE) continue;
        tell(a, LACUNA_EVENT_HELD, t->pool, t->stream, address_of(a, t->pool, t->offset), t->requested);
        blocks++;
    }
    return blocks;
}

size_t lacuna_tell_held(lacuna_agent *a) {
    if (a == NULL || a->telemetry == NULL) return 0;
    state_lock(a); /* until all is told: a block that goes meanwhile would seem to come after it went */
    image *i = image_take(a);
    size_t blocks = 0;
    for (uint64_t from = 0, to; i != NULL && from < i->count; from = to) {
        to = segment_end(i, from);
        if (to > LACUNA_EVENT_CAPACITY / 4) break; /* readers would lose what they have not read */
        blocks += tell_segment(a, i, from, to);
    }
    image_drop(i);
    state_unlock(a);
    return blocks;
}
