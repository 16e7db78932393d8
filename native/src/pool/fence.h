/*
 * fence.h - chunk safety on devices with real streams: what was freed on one stream is not given to another, moved or
 * unmapped before the work on it is done (docs/backends.md). Inactive on hosts, where it costs one test of a flag.
 *
 * Frees are numbered by `moment`. An event recorded on a stream at moment m, once done, shows that everything freed on
 * that stream up to m is unused. So no event belongs to a block or a chunk: one on each stream covers all of them, and
 * events are recorded only when somebody wants to know.
 */
#ifndef LACUNA_FENCE_H
#define LACUNA_FENCE_H

#include "pool/block.h"

#define FENCE_FLIGHTS 16     /* events of one stream that are not known to be done */
#define FENCE_SPARE 64       /* done events kept for use again */
#define FENCE_OWN_BITS 63    /* streams with a bit of their own in fence_slot.streams; the others share the last one */
#define FENCE_BATCH_SLOTS 16 /* under pressure: an event for every so many chunks that become wholly free */

typedef struct fence_flight {
    uint64_t event;
    uint64_t moment;
} fence_flight;

/*
 * Invariants: completed <= recorded; the flights are in order of moment, all above completed, the newest is recorded's.
 * The last of STREAMS_MOST stands for all streams beyond, and has no events.
 */
typedef struct fence_stream {
    uint64_t freed;     /* the last free on it */
    uint64_t recorded;  /* what its newest event covers */
    uint64_t completed; /* what is known to be done */
    uint64_t asked;     /* the turn in which its events were last queried */
    uint32_t first, flying;
    fence_flight flights[FENCE_FLIGHTS]; /* a ring */
} fence_stream;

/* Which streams freed something in a slot since it was last known to be unused, and when last. */
typedef struct fence_slot {
    uint64_t streams;
    uint64_t moment;
} fence_slot;

typedef struct fence {
    bool active;
    bool blocking; /* what must be waited for is waited for: the alternative is out-of-memory, or the user asked */
    bool deferred; /* something that should go back at once was still in use */
    bool progress; /* an event was found done since what is deferred was last tried */
    uint32_t spare;
    uint32_t unmarked_slots; /* that became wholly free since the last event was recorded for them */
    uint64_t moment;
    uint64_t turn; /* counts requests: events are queried once in each */
    uint64_t waits; /* times that it became blocking */
    uint64_t slots;
    fence_slot *slot; /* of the whole span */
    fence_stream *stream; /* by number */
    uint64_t spare_events[FENCE_SPARE];
} fence;

bool fence_open(lacuna_agent *a);
void fence_close(lacuna_agent *a);

/* From here on what must be waited for is waited for, or is left for later. */
static inline void fence_set_blocking(fence *f, bool blocking) {
    f->blocking = blocking;
    if (blocking) f->waits += f->active;
}

/* In a forked child: events are the parent's. Nothing is settled any more. */
void fence_forked(lacuna_agent *a);

/* ------------------------------------------------------------------ what happens */

/* A request of `stream` begins. True: something that should have gone back before may have become settled. */
bool fence_turn(lacuna_agent *a, uint64_t stream);

/* A block is freed on its stream. */
void fence_freed(lacuna_agent *a, const block *b);

/* The same on another stream that uses it. */
void fence_use_freed(lacuna_agent *a, stream_use *use);

/* Slots of a pool became wholly free: where memory is short they will be wanted soon, so their events start now. */
void fence_idle(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last);

/* ------------------------------------------------------------------ what may be done */

/* Whether the slots may be unmapped. Blocking: waits until they may; false then only when the device fails. */
bool fence_settle(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t count);

/* The same without waiting, even if blocking. */
bool fence_is_settled(lacuna_agent *a, uint8_t pool, uint64_t slot);

/* Whether the running request's stream may have these slots. Blocking: always, but see fence_enter(). */
bool fence_admits(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last);

/* The running request's stream takes the slots: it begins after what others do there. False when the device fails. */
bool fence_enter(lacuna_agent *a, uint8_t pool, uint64_t first, uint64_t last);

/* Whether the stream is done with what was freed while it used it. Blocking: waits for it. */
bool fence_use_is_over(lacuna_agent *a, const stream_use *use);

/* Waits for the whole device: for uses whose streams are unknown. False when the device fails. */
bool fence_finish(lacuna_agent *a);

#endif
