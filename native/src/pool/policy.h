/*
 * policy.h - how a request is served: the policy in force, then retry and fallback (docs/allocator.md).
 */
#ifndef LACUNA_POLICY_H
#define LACUNA_POLICY_H

#include "pool/block.h"

typedef struct alloc_request {
    uint64_t bytes;   /* asked for */
    uint64_t stream;
    uint64_t rounded; /* asked of the pool */
    uint64_t key;     /* of its lifetime */
    bool begun;
    bool hopeless; /* larger than any device */
    bool long_lived;
    bool retried; /* a retry was counted for it */
} alloc_request;

/* A request of `stream` begins, on devices with real streams: memory that a switched-off policy or a lowered limit should
 * have given back, and that was in use then, goes now where it may. */
void policy_turn(lacuna_agent *a, uint64_t stream);

/* A block that is in no list of free ones, or NULL when the request fails for good. Counts retries. */
block *policy_serve(lacuna_agent *a, alloc_request *r);

/* What a failed request tried to get: its rounded size, or the segment that a policy of segments needs for it. */
uint64_t policy_tried(const lacuna_agent *a, const alloc_request *r);

#endif
