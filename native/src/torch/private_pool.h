/*
 * private_pool.h - memory that a framework keeps apart for a while: what a captured CUDA graph or a MemPool uses must
 * not serve anybody else until it is released, because a replayed graph writes to the same addresses again.
 *
 * Blocks come from the device's agent as all others do; those that are freed while their pool lives stay with the pool
 * and serve it again, on the stream that they were made for. No event is recorded for them meanwhile: a stream that is
 * being captured has none to give.
 */
#ifndef LACUNA_PRIVATE_POOL_H
#define LACUNA_PRIVATE_POOL_H

#include "lacuna.h"

#include <stdbool.h>

/* As PyTorch names pools: MempoolId_t. */
typedef struct private_pool_id {
    uint64_t first, second;
} private_pool_id;

/* Which streams' requests go to the pool. `forget` ends `context`. */
typedef struct private_pool_filter {
    bool (*takes)(void *context, void *stream);
    void (*forget)(void *context);
    void *context;
} private_pool_filter;

#ifdef __cplusplus
extern "C" {
#endif

/* Requests that pass the filter go to the pool from now on; it is made if there is none. Ends `filter` on failure. */
bool private_pool_begin(int device, private_pool_id id, private_pool_filter filter);
/* No more requests go to it. Its blocks stay. */
void private_pool_end(int device, private_pool_id id);
/* One begin is undone; after the last the blocks that are free go back to the agent, the others when they are freed. */
void private_pool_release(int device, private_pool_id id);

#ifdef __cplusplus
}
#endif

/* Whether any pool exists; when not, nothing below needs to be called. Takes no lock. */
bool private_pools_exist(void);

/* A free block of the pool that takes this request, or NULL; `*pool_takes` says whether there is such a pool. */
void *private_pool_reuse(int device, uint64_t size, void *stream, bool *pool_takes);
/* A new block for it. False when the memory to remember it is missing: nobody may have the block then. */
bool private_pool_adopt(lacuna_agent *agent, int device, void *block, uint64_t size, void *stream);
/* Whether the block belongs to a pool, which then keeps it. */
bool private_pool_keep(void *block);
/* Whether the block belongs to a pool, which then remembers the stream. */
bool private_pool_note(void *block, void *stream);

#endif
