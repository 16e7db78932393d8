#include "guard/rehearsal.h"

#include "pool/operation.h"
#include "pool/pool.h"
#include "prim/clock.h"
#include "prim/pages.h"

#include <stdlib.h>

#define LOOKS_AT_CLOCK 4096 /* entries */

static enum logged_kind kind_of(const logged *e) {
    return (enum logged_kind)(e->what >> LOGGED_KIND_SHIFT);
}

static uint64_t bytes_of(const logged *e) {
    return e->what & ((UINT64_C(1) << LOGGED_KIND_SHIFT) - 1);
}

/* Goes through the entries of a view. */
typedef struct reading {
    const log_chunk *chunk;
    uint64_t in_chunk, left;
} reading;

static const logged *next_entry(reading *r) {
    if (r->left == 0) return NULL;
    if (r->in_chunk == LOG_CHUNK_ENTRIES) {
        r->chunk = r->chunk->next;
        r->in_chunk = 0;
    }
    r->left--;
    return &r->chunk->entries[r->in_chunk++];
}

static reading read_all(const window_view *v) {
    return (reading){v->first, 0, v->count};
}

/* ------------------------------------------------------------------ from one round to the next */

typedef struct named {
    uint64_t address, size;
} named;

typedef struct names_list {
    named *all;
    uint64_t count, room;
} names_list;

static bool append(names_list *l, uint64_t address, uint64_t size) {
    if (l->count == l->room) {
        uint64_t room = l->room == 0 ? 1024 : 2 * l->room;
        named *grown = realloc(l->all, room * sizeof *grown);
        if (grown == NULL) return false;
        l->all = grown;
        l->room = room;
    }
    l->all[l->count++] = (named){address, rounded_to_units(size)};
    return true;
}

static int by_size(const void *x, const void *y) {
    const named *a = x, *b = y;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static bool is_tile(const image *i, const void *p) {
    return (const image_tile *)p >= i->tiles && (const image_tile *)p < i->tiles + i->count;
}

/* Which blocks that were there before were freed, and which that came are still there. */
static bool follow(const window_view *v, table *alive, names_list *freed, names_list *born) {
    const image *i = v->start;
    for (uint64_t n = 0; n < i->count; n++) {
        const image_tile *t = &i->tiles[n];
        if (t->state != BLOCK_LIVE && t->state != BLOCK_PENDING) continue;
        if (!table_reserve(alive)) return false;
        uint8_t home = home_of(t->pool);
        table_add(alive, i->base + home * i->range_bytes + t->offset, (block *)(uintptr_t)t);
    }
    reading r = read_all(v);
    for (const logged *e = next_entry(&r); e != NULL; e = next_entry(&r)) {
        enum logged_kind kind = kind_of(e);
        const void *was = table_find(alive, e->address);
        if (kind == LOGGED_ALLOC) {
            if (was != NULL) table_remove(alive, e->address);
            if (!table_reserve(alive)) return false;
            table_add(alive, e->address, (block *)(uintptr_t)e);
        } else if ((kind == LOGGED_FREE || kind == LOGGED_COMPLETED) && was != NULL) {
            if (is_tile(i, was) && !append(freed, e->address, ((const image_tile *)was)->size)) return false;
            table_remove(alive, e->address);
        }
    }
    for (uint64_t n = 0; n < alive->capacity; n++) {
        const void *is = alive->entries[n].address != 0 ? alive->entries[n].block : NULL;
        if (is != NULL && !is_tile(i, is) && !append(born, alive->entries[n].address, bytes_of(is))) return false;
    }
    return true;
}

/* Those of one size first, then the rest from the largest on. What is left of those that came is growth, and stays. */
static bool pair(rehearsal *r, names_list *freed, names_list *born) {
    uint64_t most = freed->count < born->count ? freed->count : born->count;
    r->heir_bytes = (most + 1) * sizeof(heir);
    r->heirs = pages_take(r->heir_bytes);
    if (r->heirs == NULL) return false;
    if (most == 0) return true;
    qsort(freed->all, freed->count, sizeof(named), by_size);
    qsort(born->all, born->count, sizeof(named), by_size);
    uint64_t f = freed->count, b = born->count, left_freed = 0, left_born = 0;
    while (f > 0 && b > 0) {
        const named *x = &freed->all[f - 1], *y = &born->all[b - 1];
        if (x->size == y->size) {
            r->heirs[r->heir_count++] = (heir){y->address, x->address};
            f--, b--;
        } else if (x->size > y->size) {
            freed->all[freed->count - 1 - left_freed++] = freed->all[--f];
        } else {
            born->all[born->count - 1 - left_born++] = born->all[--b];
        }
    }
    while (f > 0) freed->all[freed->count - 1 - left_freed++] = freed->all[--f];
    while (b > 0) born->all[born->count - 1 - left_born++] = born->all[--b];
    for (uint64_t n = 0; n < left_freed && n < left_born; n++) {
        r->heirs[r->heir_count++] =
            (heir){born->all[born->count - 1 - n].address, freed->all[freed->count - 1 - n].address};
    }
    return true;
}

bool rehearsal_open(rehearsal *r, const window_view *view) {
    *r = (rehearsal){.view = *view};
    table alive = {0};
    names_list freed = {0}, born = {0};
    bool done = follow(view, &alive, &freed, &born) && pair(r, &freed, &born);
    table_close(&alive);
    free(freed.all);
    free(born.all);
    return done;
}

void rehearsal_close(rehearsal *r) {
    pages_give(r->heirs, r->heir_bytes);
    *r = (rehearsal){0};
}

/* ------------------------------------------------------------------ playing */

typedef struct stage {
    lacuna_agent *copy;
    table names;
    uint64_t stream;
} stage;

static bool name(stage *s, uint64_t address, block *b) {
    if (table_find(&s->names, address) != NULL) table_remove(&s->names, address); /* growth, which nobody frees */
    if (!table_reserve(&s->names)) return false;
    table_add(&s->names, address, b);
    return true;
}

static block *unname(stage *s, uint64_t address) {
    block *b = table_find(&s->names, address);
    if (b != NULL) table_remove(&s->names, address);
    return b;
}

static void free_now(stage *s, block *b) {
    if (b->state == BLOCK_PENDING) pending_let_go(s->copy, b);
    else operate_free(s->copy, b);
}

static enum outcome play(stage *s, const logged *e) {
    block *b = NULL;
    switch (kind_of(e)) {
    case LOGGED_ALLOC:
        b = operate_malloc(s->copy, &(alloc_request){.bytes = bytes_of(e), .stream = s->stream});
        if (b == NULL) return OUTCOME_FAILED;
        if (!name(s, e->address, b)) return OUTCOME_UNKNOWN;
        break;
    case LOGGED_FREE:
    case LOGGED_COMPLETED:
        b = unname(s, e->address);
        if (b != NULL) free_now(s, b);
        break;
    case LOGGED_PENDING:
        b = table_find(&s->names, e->address);
        if (b == NULL || b->state != BLOCK_LIVE) break;
        pending_hold(b);
        operate_free(s->copy, b);
        break;
    case LOGGED_STREAM: s->stream = e->address; break;
    case LOGGED_SETUP: operate_phase(s->copy, LACUNA_PHASE_SETUP, bytes_of(e) != 0); break;
    case LOGGED_STEP: operate_phase(s->copy, LACUNA_PHASE_STEP, bytes_of(e) != 0); break;
    case LOGGED_FORWARD: operate_phase(s->copy, LACUNA_PHASE_FORWARD, bytes_of(e) != 0); break;
    case LOGGED_EMPTY: operate_empty_cache(s->copy); break;
    }
    return OUTCOME_SERVED;
}

static void apply(lacuna_agent *copy, const trial *t) {
    operate_set_limit(copy, t->limit, 1);
    operate_set_rules(copy, t->optimisation, t->policy);
    operate_set_limit(copy, t->limit, 1); /* of what the other policy had cached too */
    copy->counters.peak_reserved_bytes = copy->counters.reserved_bytes;
}

static enum outcome play_round(stage *s, const window_view *v, const trial *t, uint32_t round) {
    reading r = read_all(v);
    uint64_t before = round * v->count;
    s->stream = 0;
    for (const logged *e = next_entry(&r); e != NULL; e = next_entry(&r)) {
        if (before + v->count - r.left - 1 == t->at) apply(s->copy, t);
        enum outcome o = play(s, e);
        if (o != OUTCOME_SERVED) return o;
        if (r.left % LOOKS_AT_CLOCK == 0 && clock_system_ns() > t->deadline_ns) return OUTCOME_UNKNOWN;
    }
    return OUTCOME_SERVED;
}

/* All names at once: one may be free only because another gave it up. */
static enum outcome rename_heirs(stage *s, const rehearsal *r, block **blocks) {
    for (uint64_t n = 0; n < r->heir_count; n++) blocks[n] = unname(s, r->heirs[n].from);
    for (uint64_t n = 0; n < r->heir_count; n++) {
        if (blocks[n] != NULL && !name(s, r->heirs[n].to, blocks[n])) return OUTCOME_UNKNOWN;
    }
    return OUTCOME_SERVED;
}

static enum outcome play_rounds(stage *s, const rehearsal *r, const trial *t) {
    size_t bytes = (r->heir_count + 1) * sizeof(block *);
    block **blocks = pages_take(bytes);
    if (blocks == NULL) return OUTCOME_UNKNOWN;
    enum outcome o = OUTCOME_SERVED;
    for (uint32_t round = 0; round < t->rounds && o == OUTCOME_SERVED; round++) {
        if (round > 0) o = rename_heirs(s, r, blocks);
        if (o == OUTCOME_SERVED) o = play_round(s, &r->view, t, round);
    }
    pages_give(blocks, bytes);
    return o;
}

enum outcome rehearsal_play(const rehearsal *r, const trial *t, uint64_t *peak_reserved) {
    stage s = {0};
    s.copy = image_restore(r->view.start, &s.names);
    enum outcome o = s.copy != NULL ? play_rounds(&s, r, t) : OUTCOME_UNKNOWN;
    if (peak_reserved != NULL) *peak_reserved = s.copy != NULL ? s.copy->counters.peak_reserved_bytes : 0;
    pool_close(s.copy);
    table_close(&s.names);
    return o;
}
