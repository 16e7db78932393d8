#include "pool/request_log.h"

#include "prim/pages.h"

#include <stddef.h>

_Static_assert(sizeof(log_chunk) == 65536, "a chunk is whole pages");

static log_chunk *new_chunk(request_log *l) {
    log_chunk *c = l->spare;
    if (c == NULL) return pages_take(sizeof *c);
    l->spare = c->next;
    c->next = NULL;
    return c;
}

bool request_log_turn(request_log *l) {
    log_chunk *more = l->chunks < LOG_MOST_CHUNKS ? new_chunk(l) : NULL;
    if (more == NULL) {
        l->overflowed = true;
        l->recording = false;
        l->at = l->end = NULL;
        return false;
    }
    *(l->last != NULL ? &l->last->next : &l->first) = more;
    l->last = more;
    l->chunks++;
    l->at = more->entries;
    l->end = more->entries + LOG_CHUNK_ENTRIES;
    return true;
}

uint64_t request_log_count(const request_log *l) {
    if (l->chunks == 0) return 0;
    uint64_t left = (uint64_t)(l->end - l->at);
    return l->chunks * LOG_CHUNK_ENTRIES - left;
}

void request_log_begin(request_log *l, request_log *kept) {
    if (kept != NULL) {
        *kept = *l;
        kept->spare = NULL;
    } else {
        request_log_reuse(l, l);
    }
    *l = (request_log){.spare = l->spare, .recording = true};
}

void request_log_reuse(request_log *l, request_log *over) {
    for (log_chunk *at = over->first, *next; at != NULL; at = next) {
        next = at->next;
        at->next = l->spare;
        l->spare = at;
    }
    over->first = NULL;
}

static void give(log_chunk *chunk) {
    for (log_chunk *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        pages_give(chunk, sizeof *chunk);
    }
}

void request_log_close(request_log *l) {
    give(l->first);
    give(l->spare);
    *l = (request_log){0};
}
