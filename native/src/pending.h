/*
 * pending.h - blocks that were freed while another stream still uses them.
 */
#ifndef LACUNA_PENDING_H
#define LACUNA_PENDING_H

#include "block.h"

/* Invariant: the blocks are PENDING, in the order in which they were freed, linked by live.junior. */
typedef struct pending {
    block *first, *last;
} pending;

/* A live block is also used by `stream`. False when the kernel gives no memory to note it. */
bool pending_note(lacuna_agent *a, block *b, uint64_t stream);

/* A block with uses is freed: it waits here. */
void pending_add(lacuna_agent *a, block *b);

/* The uses of `stream` that pending blocks have are over. */
void pending_stream_done(lacuna_agent *a, uint64_t stream);

/* Frees the pending blocks that no stream uses any more; returns how many. */
uint64_t pending_complete(lacuna_agent *a);

#endif
