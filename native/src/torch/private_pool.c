#include "torch/private_pool.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>

/*
 * Invariants, under `guard`: `existing` = length of the list of pools; `owned` holds the blocks of these pools, each
 * once, by address; a block is idle from its free until it serves again or its pool is released.
 */
typedef struct pool {
    struct pool *next;
    int device;
    private_pool_id id;
    unsigned uses;
    bool open;
    private_pool_filter filter;
    struct owned_block *blocks;
} pool;

typedef struct owned_block {
    void *address;
    struct owned_block *next; /* of the same pool */
    lacuna_agent *agent;
    uint64_t size;
    void *stream;
    bool shared; /* with another stream: it serves no one else while the pool lives */
    bool idle;
} owned_block;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pool *pools;
static unsigned existing;
static void *owned; /* tree of owned_block by address */

/* ------------------------------------------------------------------ fork */

static void before_fork(void) { pthread_mutex_lock(&guard); }

static void after_fork_in_parent(void) { pthread_mutex_unlock(&guard); }

static void after_fork_in_child(void) { pthread_mutex_init(&guard, NULL); }

/* A child must not inherit the guard from a thread that it does not have. Called when there is an agent: handlers run
 * latest first, so the guard is taken before the agents' locks, as everywhere. Refused: as it was without. */
static void watch_forks(void) { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

/* ------------------------------------------------------------------ queries */

bool private_pools_exist(void) {
    return __atomic_load_n(&existing, __ATOMIC_ACQUIRE) != 0;
}

static int by_address(const void *x, const void *y) {
    uintptr_t a = (uintptr_t)((const owned_block *)x)->address, b = (uintptr_t)((const owned_block *)y)->address;
    return (a > b) - (a < b);
}

static owned_block *find_block(void *address) {
    owned_block key = {.address = address};
    owned_block **found = tfind(&key, &owned, by_address);
    return found != NULL ? *found : NULL;
}

static pool **find_pool(int device, private_pool_id id) {
    pool **at = &pools;
    while (*at != NULL) {
        const pool *p = *at;
        if (p->device == device && p->id.first == id.first && p->id.second == id.second) break;
        at = &(*at)->next;
    }
    return at;
}

static pool *pool_for(int device, void *stream) {
    for (pool *p = pools; p != NULL; p = p->next) {
        if (p->open && p->device == device && p->filter.takes(p->filter.context, stream)) return p;
    }
    return NULL;
}

/* ------------------------------------------------------------------ a pool's life */

static void close_pool(pool *p) {
    if (p->open) p->filter.forget(p->filter.context);
    p->open = false;
}

bool private_pool_begin(int device, private_pool_id id, private_pool_filter filter) {
    pthread_mutex_lock(&guard);
    pool *p = *find_pool(device, id);
    if (p == NULL) {
        p = calloc(1, sizeof *p);
        if (p != NULL) {
            *p = (pool){.next = pools, .device = device, .id = id};
            pools = p;
            __atomic_store_n(&existing, existing + 1, __ATOMIC_RELEASE);
        }
    }
    if (p != NULL) {
        close_pool(p);
        p->filter = filter;
        p->open = true;
        p->uses++;
    } else {
        filter.forget(filter.context);
    }
    pthread_mutex_unlock(&guard);
    return p != NULL;
}

void private_pool_end(int device, private_pool_id id) {
    pthread_mutex_lock(&guard);
    pool *p = *find_pool(device, id);
    if (p != NULL) close_pool(p);
    pthread_mutex_unlock(&guard);
}

/* Lets the agent have a block that is free, or will be. */
static void disown(owned_block *b) {
    tdelete(b, &owned, by_address);
    if (b->idle) lacuna_free(b->agent, b->address);
    free(b);
}

void private_pool_release(int device, private_pool_id id) {
    pthread_mutex_lock(&guard);
    pool **at = find_pool(device, id);
    pool *p = *at;
    if (p != NULL && --p->uses == 0) {
        *at = p->next;
        close_pool(p);
        while (p->blocks != NULL) {
            owned_block *b = p->blocks;
            p->blocks = b->next;
            disown(b);
        }
        free(p);
        __atomic_store_n(&existing, existing - 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&guard);
}

/* ------------------------------------------------------------------ its blocks */

/* Best fit among those of the stream that no other stream used; none that would waste more than it serves. */
static owned_block *best_idle(const pool *p, uint64_t size, const void *stream) {
    owned_block *best = NULL;
    for (owned_block *b = p->blocks; b != NULL; b = b->next) {
        bool fits = b->idle && b->stream == stream && !b->shared && b->size >= size && b->size / 2 <= size;
        if (fits && (best == NULL || b->size < best->size)) best = b;
    }
    return best;
}

void *private_pool_reuse(int device, uint64_t size, void *stream, bool *pool_takes) {
    pthread_mutex_lock(&guard);
    const pool *p = pool_for(device, stream);
    owned_block *b = p != NULL ? best_idle(p, size, stream) : NULL;
    if (b != NULL) b->idle = false;
    *pool_takes = p != NULL;
    void *address = b != NULL ? b->address : NULL;
    pthread_mutex_unlock(&guard);
    return address;
}

bool private_pool_adopt(lacuna_agent *agent, int device, void *address, uint64_t size, void *stream) {
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch_forks);
    pthread_mutex_lock(&guard);
    pool *p = pool_for(device, stream);
    owned_block *b = p != NULL ? calloc(1, sizeof *b) : NULL;
    bool kept = b != NULL;
    if (kept) {
        *b = (owned_block){.address = address, .next = p->blocks, .agent = agent, .size = size, .stream = stream};
        kept = tsearch(b, &owned, by_address) != NULL;
        if (kept) {
            p->blocks = b;
        } else {
            free(b);
        }
    }
    pthread_mutex_unlock(&guard);
    return kept || p == NULL;
}

bool private_pool_keep(void *address) {
    pthread_mutex_lock(&guard);
    owned_block *b = find_block(address);
    if (b != NULL) b->idle = true;
    pthread_mutex_unlock(&guard);
    return b != NULL;
}

bool private_pool_note(void *address, void *stream) {
    pthread_mutex_lock(&guard);
    owned_block *b = find_block(address);
    if (b != NULL && stream != b->stream) {
        b->shared = true;
        lacuna_record_stream(b->agent, address, (uint64_t)(uintptr_t)stream);
    }
    pthread_mutex_unlock(&guard);
    return b != NULL;
}
