/*
 * pending.h - blocks that were freed while another stream still uses them.
 */
#ifndef LACUNA_PENDING_H
#define LACUNA_PENDING_H

#include "pool/block.h"

/* Invariant: the blocks are PENDING, in the order in which they were freed, linked by live.junior. */
typedef struct pending {
    block *first, *last;
} pending;

/* A live block is also used by `stream`. Where there is no memory for the note the block counts as used by every stream. */
void pending_note(lacuna_agent *a, block *b, uint64_t stream);

/* A use of it could not be noted: when it is freed the whole device is waited for, and on a host, which cannot be asked, it
 * stays pending for good. */
bool pending_on_every_stream(const block *b);

/* For copies of agents, where nobody can be asked: a live block stays pending when it is freed, until it is let go. */
void pending_hold(block *b);
void pending_let_go(lacuna_agent *a, block *b);

/* On devices with real streams: a block with uses is freed now, as each of their streams will tell. Where that can be waited
 * for only, it is, and there are no uses any more. */
void pending_begin(lacuna_agent *a, block *b);

/* A block with uses is freed: it waits here. */
void pending_add(lacuna_agent *a, block *b);

/* The uses of `stream` that pending blocks have are over. */
void pending_stream_done(lacuna_agent *a, uint64_t stream);

/* Frees the pending blocks that no stream uses any more; returns how many. */
uint64_t pending_complete(lacuna_agent *a);

#endif
