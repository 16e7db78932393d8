/*
 * swap.h - the swap engine of one agent: where each entry is, its copies, the host's side. docs/swap.md.
 *
 * Locks: the engine's own may be taken under the agent's, never the other way round. Which block an entry holds changes
 * under both, and is read under either.
 */
#ifndef LACUNA_SWAP_H
#define LACUNA_SWAP_H

#include "pool/block.h"
#include "swap/host_pool.h"
#include "swap/layers.h"
#include "types.h"

#include <pthread.h>

typedef struct lacuna_swapped swapped;

/*
 * Invariants, under the engine's lock: `copy` is the backend's while the place is a moving one; on the host and copying in
 * `host` holds the bytes; on the device `host` is NULL, or holds the same bytes unless `changed`. `held`: the owner has that
 * block, which is LIVE, begins at entry.block and has room for the entry; its `lent` counts the entries that hold it, up to
 * SWAP_LENT_MOST, where it stays. `wanted`: held, on the host or copying in, until the bytes have arrived.
 * Only a held entry moves or is on the device; or a lost one, which is nowhere then and counts nowhere.
 * `lost`: the block was freed while it was held, or the owner has the bytes where no block is. It holds none, is not
 * wanted, and no rescue takes it. On the host it may come into another block, which makes it whole again.
 * Who waits outside the lock has it pinned, and it is not freed.
 */
#define SWAP_LENT_MOST UINT8_MAX

struct lacuna_swapped {
    swapped *next, *previous; /* in the order of entering */
    lacuna_swap_entry entry;
    uint8_t place; /* lacuna_swap_place */
    block *held; /* NULL: let go, or lost */
    bool lost;
    bool leaving; /* its owner leaves it: no rescue takes it any more */
    bool came; /* into the block that is held */
    bool wanted; /* is being brought back: no rescue takes it, however its copies end */
    bool changed; /* the block may hold other bytes than the host's side, or than its copy out took */
    bool planned; /* what lies beside it goes too, which leaves a place (victims.h) */
    bool chosen; /* by a rescue that has not looked at it yet */
    uint64_t asked_by; /* the eviction that asked its owner to let go of it last */
    bool used; /* backward has come to it */
    bool movable; /* counted as such */
    uint32_t pins; /* threads that wait for its copy: no other is begun meanwhile */
    void *host;
    uint64_t host_bytes; /* what it counts as in the pool */
    device_copy copy;
};

/* What was entered last may be in use by the operator that runs. */
#define SWAP_RECENT 3

/* What a request found too little of. */
typedef struct shortage {
    uint64_t bytes;  /* of the block */
    uint64_t slots;  /* whole free chunks that it lacks; 0 where chunks do not move */
    uint64_t stream;
    uint8_t pool;    /* in whose range, or in whose segments, it looks for a piece */
    bool may_widen;  /* in the range of large blocks too */
} shortage;

/* What was done for one request. */
typedef struct eviction_report {
    uint32_t turns;
    uint64_t bytes;      /* that owners let go of */
    uint64_t left_bytes; /* that stay on the device although they were saved: others hold them, or no copy can be made */
    bool refused;        /* the host had no room for some */
    bool late;           /* the owner's thread did not come */
} eviction_report;

/* A rescue that waits for the owner's thread. */
typedef struct eviction {
    struct eviction *next;
    const uint64_t *cookies;
    uint32_t count;
    bool taken, done;
} eviction;

struct swap {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    device *device;
    int mode;
    bool forked; /* nothing is copied any more */
    uint64_t allowed_pass; /* passes up to this one are over */
    host_pool pool;
    swapped *first, *last;
    layer_table layers;
    uint64_t link_bytes_per_second; /* as set; 0: as fast as memory copies */
    lacuna_device_counters told; /* the fields of swapping only */
    uint64_t *away_bytes; /* of entries that are on the host alone; read without the lock */
    uint64_t *movable_bytes; /* of entries that wait for backward on the device; likewise */
    swapped *recent[SWAP_RECENT];
    uint32_t next_recent;
    uint64_t let_go_bytes; /* that owners let go so far */

    void (*let_go)(const uint64_t *cookies, uint32_t count);
    void *let_go_object; /* instead, where the owner is in Python */
    void (*hear)(void *raised);
    eviction *evictions, *serving;
    uint64_t last_eviction; /* each has a number from 1 */
};

/* NULL with errno where the device cannot copy or memory is missing. Counts what is on the host alone in `away_bytes`, and what
 * could leave in `movable_bytes`. */
swap *swap_open(device *d, uint64_t *away_bytes, uint64_t *movable_bytes);

/* Waits for copies; entries that are left are freed. */
void swap_close(swap *w);

/* Held across fork(). In the child nothing is copied any more; what is on the host, or was on its way back, can still be
 * read back. */
void swap_lock(swap *w);
void swap_unlock(swap *w);
void swap_forked(swap *w);

void swap_set(swap *w, int mode, uint64_t budget_bytes);
/* The most that the host held since it was asked last. */
uint64_t swap_step_peak(swap *w);
/* Looks at all copies under way: not for every call. */
void swap_look(swap *w);
void swap_tell(swap *w, lacuna_device_counters *c);

int swap_out(swap *w, swapped *s, uint64_t stream);
int swap_where(swap *w, swapped *s);
int swap_wait(swap *w, swapped *s, uint64_t stream);
/* Waits until no copy and no rescue is at the entry, which then has no host's side: before swap_leave(). */
void swap_end(swap *w, swapped *s);
/* Begins to copy in what swap_in() took, where nobody has yet. */
void swap_begin_in(swap *w, swapped *s, uint64_t stream);

/* Under the agent's lock too. `b` is the block at the address, NULL where none with room for the entry is. */
int swap_enter(swap *w, const lacuna_swap_entry *entry, block *b, swapped **out);
void swap_leave(swap *w, swapped *s);
int swap_changed(swap *w, swapped *s, const void *address, block *b);
/* Backward has come to it: from here on it is in use. */
void swap_used(swap *w, swapped *s);
int swap_let_go(swap *w, swapped *s);
int swap_in(swap *w, swapped *s, void *address, block *b);
/* A block that is lent is freed: its entries are lost, once no copy is at it any more. */
void swap_freed(swap *w, const block *b);
#ifdef LACUNA_CHECK
bool swap_is_valid(swap *w);
#endif

/* For the rescue, under the lock: looks whether the entry's copy is over; begins to copy out what is settled and on the
 * device without a pin; waits for a copy, with the lock given away meanwhile. */
void swap_settle(swap *w, swapped *s);
int swap_begin_out(swap *w, swapped *s, uint64_t stream);
bool swap_await(swap *w, swapped *s);

/* On the host already, or there from the last time: it goes without a copy. */
static inline bool swapped_is_copied(const swapped *s) {
    return s->host != NULL && !s->changed;
}

/* A rescue, evict_on_oom.c. Under the agent's lock: chooses entries that leave a place together. Then without it, since the
 * owner frees blocks meanwhile: bytes that were let go so that the request may succeed, of those that were chosen, else of all;
 * 0: nothing more can be done. Adds to the report. */
void swap_plan_eviction(swap *w, const shortage *lack);
uint64_t swap_evict_on_oom(swap *w, uint64_t bytes, eviction_report *report);
void swap_count_eviction(swap *w);
/* swap_owner.c. Without the lock, holding Python's. */
void swap_call_object(void *let_go, void (*hear)(void *raised), const uint64_t *cookies, uint32_t count);
uint32_t swap_serve(swap *w, uint64_t *cookies, uint32_t room, uint32_t patience_ms);
void swap_served(swap *w);

#endif
