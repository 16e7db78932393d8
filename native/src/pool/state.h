/*
 * state.h - everything an agent is. There is no other state: any number of agents live side by side. Swapping and the
 * guard keep theirs behind pointers.
 */
#ifndef LACUNA_STATE_H
#define LACUNA_STATE_H

#include "device/device.h"
#include "pool/chunk.h"
#include "pool/fence.h"
#include "pool/framework.h"
#include "pool/lifetime.h"
#include "pool/named.h"
#include "pool/pending.h"
#include "pool/request_log.h"
#include "pool/segregated.h"
#include "pool/statistics.h"
#include "pool/stock.h"
#include "pool/stream.h"
#include "pool/table.h"
#include "prim/lock.h"
#include "telemetry/telemetry.h"
#include "types.h"

/* What the running step has taken so far. */
typedef struct running_step {
    uint64_t began_ns;
    uint64_t began_remaps;
    uint64_t peak_allocated_bytes;
    uint64_t peak_reserved_bytes;
    uint64_t peak_kept_bytes, last_peak_kept_bytes; /* allocated and elsewhere; the last step's is atomic */
    uint64_t peak_everything_bytes; /* allocated and away, where there is swapping */
    uint64_t peak_fixed_bytes, last_peak_fixed_bytes; /* allocated and not able to go; the last step's is atomic */
    uint32_t parking; /* ends of steps until what a switch gave back goes to the machine; 0: none is at hand */
    bool mixed; /* swapping was switched within it: what could have gone is not known */
} running_step;

/*
 * Invariants, whenever the lock is free: the counters hold those of lacuna.h; reserved <= limit unless a lowered cap
 * could not be reached; the stock pools' blocks lie in segments, the segregated pools' blocks cover their ranges.
 * `counters` is the truth of what the agent itself holds: active, lowest_safe_limit, outside and time are brought up to date
 * when published, where what the framework's own allocator holds is added (publish.h).
 * One struct of many fields, since it is what one lock protects.
 */
struct lacuna_agent {
    lock lock;
    uint64_t base; /* address of the first range; constant, read without the lock */
    uint64_t span_bytes;
    uint64_t range_bytes;

    table live;
    arena arena;
    lifetime lifetime;
    chunks chunks;
    segregated segregated;
    stock stock;
    pending pending;

    telemetry *telemetry; /* NULL: nobody is told */
    lacuna_device_counters counters;
    statistics statistics;
    device *device;
    streams streams;
    fence fence;
    request_log log; /* what a rehearsal has to ask for again */

    uint32_t device_index; /* on its backend */
    double first_fraction;    /* that it was opened with */
    uint64_t inherited_bytes; /* reserved when this process was forked: does not count against its limit */
    uint32_t phase_depth[LACUNA_PHASE_COUNT];
    running_step step;
    named_phases named;
    uint64_t former_peak_allocated_bytes; /* before the peaks were reset, which must not move any block */
    uint64_t former_peak_reserved_bytes;
    uint64_t elsewhere_bytes; /* that the owner of layers would have allocated now if it kept everything; atomic */
    uint64_t away_bytes;      /* swapped out, and on the host alone; atomic */
    uint64_t movable_bytes;   /* could be swapped out, and wait for backward here; atomic */

    mindspeed *mindspeed; /* NULL while its policy is not in force */
    framework framework;
    lacuna_compaction compaction; /* its state is atomic */
    swap *swap; /* NULL until it was first asked for; stays until the agent is closed */
    guard *guard; /* NULL in copies for a rehearsal, which nobody watches */

    struct {
        block **blocks; /* by id, NULL where none is live */
        uint64_t ids;
    } replay;
    struct {
        size_t length;
        char text[LACUNA_OOM_TEXT_BYTES];
        char tried[320]; /* a sentence on what else was done for the request that fails; empty where nothing was */
    } oom; /* the last */
};

/* ------------------------------------------------------------------ lock */

static inline void state_lock(lacuna_agent *a) {
    lock_take(&a->lock);
}

static inline void state_unlock(lacuna_agent *a) {
    lock_give(&a->lock);
}

/* ------------------------------------------------------------------ queries */

/* The pool whose address space a pool's blocks lie in: long pools share those of the short ones. */
static inline uint8_t home_of(uint8_t pool) {
    return pool < LACUNA_POOL_LONG_SMALL ? pool : (uint8_t)(pool - LACUNA_POOL_LONG_SMALL + LACUNA_POOL_SHORT_SMALL);
}

/* Where the range of a pool begins on the device. */
static inline uint64_t range_of(const lacuna_agent *a, uint8_t pool) {
    return home_of(pool) * a->range_bytes;
}

static inline uint64_t address_of(const lacuna_agent *a, uint8_t pool, uint64_t offset) {
    return a->base + range_of(a, pool) + offset;
}

static inline bool is_stock(uint8_t pool) {
    return pool <= LACUNA_POOL_STOCK_LARGE;
}

/* Whether streams may still use what was freed: not on hosts, whose way is the fast one. */
static inline bool is_fenced(const lacuna_agent *a) {
    return __builtin_expect(a->fence.active, 0);
}

static inline bool optimised(const lacuna_agent *a) {
    return a->counters.optimisation != 0;
}

/* Whose rules hold, and whose memory it is. Segments of the stock ranges belong to who opened them. */
enum side { SIDE_STOCK, SIDE_LIFETIME, SIDE_SEGREGATED, SIDES };

static inline enum side serving(const lacuna_agent *a) {
    if (!optimised(a)) return SIDE_STOCK;
    return a->counters.policy == LACUNA_POOL_POLICY_LIFETIME ? SIDE_LIFETIME : SIDE_SEGREGATED;
}

static inline enum side side_of_keeper(uint8_t keeper) {
    return keeper > LACUNA_POOL_STOCK_LARGE ? SIDE_LIFETIME : SIDE_STOCK;
}

static inline enum side side_of(const block *b) {
    if (b->segment == NULL) return SIDE_SEGREGATED;
    return side_of_keeper(b->segment->shelf->keeper);
}

/* The most that was reserved at a time. */
static inline uint64_t peak_reserved(const lacuna_agent *a) {
    uint64_t now = a->counters.peak_reserved_bytes, former = a->former_peak_reserved_bytes;
    return now > former ? now : former;
}

/* Bytes by which growing is allowed. */
static inline uint64_t room(const lacuna_agent *a) {
    uint64_t outside = a->counters.outside_bytes, total = a->counters.total_bytes;
    uint64_t free = (outside < total ? total - outside : 0) + a->inherited_bytes;
    uint64_t limit = a->counters.limit_bytes, others = framework_reserved(&a->framework);
    uint64_t left = limit > others ? limit - others : 0, cap = left < free ? left : free;
    return cap > a->counters.reserved_bytes ? cap - a->counters.reserved_bytes : 0;
}

/* Whether memory of this side that becomes wholly free goes back at once: its policy is off, a cap is exceeded, or nothing
 * comes any more. */
static inline bool drains(const lacuna_agent *a, enum side side) {
    return side != serving(a) || a->counters.reserved_bytes > a->counters.limit_bytes || a->framework.alone;
}

/* ------------------------------------------------------------------ what is counted and told */

static inline void tell(lacuna_agent *a, uint8_t kind, uint8_t pool, uint64_t stream, uint64_t address, uint64_t size) {
    if (a->telemetry == NULL) return;
    uint32_t number = is_fenced(a) ? stream_number(&a->streams, stream) : (uint32_t)stream; /* handles are addresses */
    telemetry_event(a->telemetry, kind, pool, (uint8_t)a->counters.index, number, address, size);
}

static inline void log_request(lacuna_agent *a, enum logged_kind kind, uint64_t bytes, uint64_t address) {
    log_put(&a->log, kind, bytes, address);
}

/* Chunks moved: in place of a stream the event tells by how many chunks the destination lies above the source. */
static inline void tell_move(lacuna_agent *a, uint8_t pool, uint64_t source, uint64_t address, uint64_t size) {
    if (a->telemetry == NULL) return;
    int32_t distance = (int32_t)((int64_t)(address - source) / (int64_t)SLOT_BYTES);
    telemetry_move(a->telemetry, pool, (uint8_t)a->counters.index, distance, address, size);
}

/* What free blocks of a kind hold that cannot go back to the device, because a part of their chunk or segment is in use:
 * all that is reserved, neither active nor releasable. */
static inline uint64_t split_bytes(const lacuna_agent *a, unsigned kind) {
    const statistics *t = &a->statistics;
    return account_now(&t->reserved.kind[kind]) - t->live[kind][STATISTIC_BYTES].current - t->pending_bytes[kind] -
           a->stock.releasable_bytes[kind] - a->segregated.ranges[kind]->idle_slots * SLOT_BYTES;
}

/* Ends an operation that has taken or given back a block of this kind; the other kind's split bytes never change with it. */
static inline void count_split_of(lacuna_agent *a, unsigned kind) {
    lacuna_device_counters *c = &a->counters;
    gauge *split = &a->statistics.split_bytes;
    uint64_t before = c->split_bytes;
    uint64_t now = c->reserved_bytes - c->allocated_bytes - c->pending_bytes - c->releasable_bytes;
    c->split_bytes = now;
    if (now <= before) return;
    split->kind[kind].risen += now - before;
    if (now <= split->kind[kind].peak) return; /* then that of both is no less */
    uint64_t own = split_bytes(a, kind);
    if (own > split->kind[kind].peak) split->kind[kind].peak = own;
    if (now > split->peak) split->peak = now;
}

/* Asks the device what others hold of it. Costs a call to its driver: not for every request. */
static inline void look_outside(lacuna_agent *a) {
    uint64_t outside = a->device->ops->outside(a->device, a->counters.reserved_bytes);
    if (outside == a->counters.outside_bytes) return;
    a->counters.outside_bytes = outside;
    telemetry_outdated(a->telemetry, a->counters.index);
}

#endif
