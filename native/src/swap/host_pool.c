#include "swap/host_pool.h"

#include <stdlib.h>

#define GRAIN UINT64_C(65536) /* sizes that differ by less share pieces, which are dear to pin */

typedef struct cached {
    struct cached *next;
    void *memory;
    uint64_t bytes;
} cached;

static void release(host_pool *p, cached **at) {
    cached *gone = *at;
    *at = gone->next;
    p->taken_bytes -= gone->bytes;
    p->device->ops->copies->host_give(p->device, gone->memory, gone->bytes);
    free(gone);
}

/* Gives cached pieces back until `bytes` more may be taken. */
static bool make_room(host_pool *p, uint64_t bytes) {
    while (p->cached != NULL && p->taken_bytes + bytes > p->budget_bytes) release(p, &p->cached);
    return p->taken_bytes + bytes <= p->budget_bytes;
}

static void count_used(host_pool *p, uint64_t more) {
    p->used_bytes += more;
    if (p->used_bytes > p->peak_bytes) p->peak_bytes = p->used_bytes;
}

void *host_pool_take(host_pool *p, uint64_t bytes, uint64_t *held) {
    uint64_t size = (bytes + GRAIN - 1) / GRAIN * GRAIN;
    for (cached **at = &p->cached; *at != NULL; at = &(*at)->next) {
        cached *found = *at;
        if (found->bytes != size) continue;
        void *memory = found->memory;
        *at = found->next;
        free(found);
        count_used(p, size);
        *held = size;
        return memory;
    }
    if (size < bytes || size > p->budget_bytes || !make_room(p, size)) return NULL;
    void *memory = p->device->ops->copies->host_take(p->device, size);
    if (memory == NULL && p->cached != NULL) {
        host_pool_empty(p);
        memory = p->device->ops->copies->host_take(p->device, size);
    }
    if (memory == NULL) return NULL;
    p->taken_bytes += size;
    count_used(p, size);
    *held = size;
    return memory;
}

void host_pool_give(host_pool *p, void *memory, uint64_t held) {
    p->used_bytes -= held;
    cached *kept = p->taken_bytes <= p->budget_bytes ? malloc(sizeof *kept) : NULL;
    if (kept == NULL) {
        p->taken_bytes -= held;
        p->device->ops->copies->host_give(p->device, memory, held);
        return;
    }
    *kept = (cached){.next = p->cached, .memory = memory, .bytes = held};
    p->cached = kept;
}

void host_pool_set_budget(host_pool *p, uint64_t bytes) {
    p->budget_bytes = bytes;
    make_room(p, 0);
}

void host_pool_empty(host_pool *p) {
    while (p->cached != NULL) release(p, &p->cached);
}
