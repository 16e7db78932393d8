#include "pool/pending.h"

#include "pool/cache.h"

/* Takes the place of all uses of a block; never changed. */
static stream_use every_stream;

bool pending_on_every_stream(const block *b) {
    return b->live.uses == &every_stream;
}

static void drop_use(lacuna_agent *a, stream_use **at) {
    stream_use *over = *at;
    *at = over->next;
    arena_give(&a->arena, (node *)(void *)over);
}

static void use_on_every_stream(lacuna_agent *a, block *b) {
    a->statistics.unnoted_uses++;
    while (b->live.uses != NULL) drop_use(a, &b->live.uses);
    b->live.uses = &every_stream;
}

void pending_note(lacuna_agent *a, block *b, uint64_t stream) {
    if (stream == b->live.stream || pending_on_every_stream(b)) return;
    for (stream_use *u = b->live.uses; u != NULL; u = u->next) {
        if (u->stream == stream) return;
    }
    if (!arena_reserve(&a->arena, 1)) {
        use_on_every_stream(a, b);
        return;
    }
    stream_use *use = &arena_take(&a->arena)->use;
    *use = (stream_use){.next = b->live.uses, .stream = stream};
    b->live.uses = use;
}

void pending_hold(block *b) {
    b->live.uses = &every_stream;
}

void pending_let_go(lacuna_agent *a, block *b) {
    b->live.uses = NULL;
    pending_complete(a);
}

void pending_begin(lacuna_agent *a, block *b) {
    if (pending_on_every_stream(b)) {
        if (fence_finish(a)) b->live.uses = NULL;
        return;
    }
    for (stream_use *u = b->live.uses; u != NULL; u = u->next) fence_use_freed(a, u);
}

void pending_add(lacuna_agent *a, block *b) {
    b->state = BLOCK_PENDING;
    b->live.junior = NULL;
    *(a->pending.last != NULL ? &a->pending.last->live.junior : &a->pending.first) = b;
    a->pending.last = b;
    a->counters.pending_bytes += b->size;
    statistics_pending(&a->statistics, b->pool & 1, b->size);
}

void pending_stream_done(lacuna_agent *a, uint64_t stream) {
    if (a->fence.active) return; /* there the device says when */
    for (block *b = a->pending.first; b != NULL; b = b->live.junior) {
        if (pending_on_every_stream(b)) continue;
        for (stream_use **at = &b->live.uses; *at != NULL; at = &(*at)->next) {
            if ((*at)->stream != stream) continue;
            drop_use(a, at);
            break;
        }
    }
}

/* Ends the uses whose streams are done. Blocking: of all blocks. */
static void end_uses(lacuna_agent *a) {
    for (block *b = a->pending.first; b != NULL; b = b->live.junior) {
        if (pending_on_every_stream(b)) { /* its streams are unknown, and when it was freed the device did not answer */
            if (a->fence.blocking && fence_finish(a)) b->live.uses = NULL;
            continue;
        }
        for (stream_use **at = &b->live.uses; *at != NULL;) {
            if (fence_use_is_over(a, *at)) {
                drop_use(a, at);
            } else {
                at = &(*at)->next;
            }
        }
    }
}

uint64_t pending_complete(lacuna_agent *a) {
    uint64_t completed = 0;
    block *last = NULL;
    if (is_fenced(a)) end_uses(a);
    for (block **at = &a->pending.first; *at != NULL;) {
        block *b = *at;
        if (b->live.uses != NULL) {
            last = b;
            at = &b->live.junior;
            continue;
        }
        *at = b->live.junior;
        a->counters.pending_bytes -= b->size;
        statistics_completed(&a->statistics, b->pool & 1, b->size);
        log_request(a, LOGGED_COMPLETED, 0, address_of(a, b->pool, b->offset));
        tell(a, LACUNA_EVENT_FREE_COMPLETED, b->pool, b->live.stream, address_of(a, b->pool, b->offset), b->size);
        unsigned kind = b->pool & 1;
        cache_put(a, b);
        count_split_of(a, kind);
        completed++;
    }
    a->pending.last = last;
    return completed;
}
