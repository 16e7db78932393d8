/*
 * vmm.h - what CUDA and Ascend have in common: physical memory under a handle, mapped into and out of reserved
 * addresses. The backends supply the calls; here is which memory lies where, and what is undone when a call fails.
 */
#ifndef LACUNA_VMM_H
#define LACUNA_VMM_H

#include "device/device.h"
#include "prim/fd.h"

typedef struct vmm vmm;

/* One vendor call each; sizes and addresses are multiples of SLOT_BYTES. False: it had no effect. */
typedef struct vmm_calls {
    bool (*reserve)(vmm *v, uint64_t bytes, uint64_t *address); /* addresses only, aligned to SLOT_BYTES or not */
    void (*unreserve)(vmm *v, uint64_t address, uint64_t bytes);
    bool (*create)(vmm *v, uint64_t bytes, uint64_t *handle);
    void (*destroy)(vmm *v, uint64_t handle);
    bool (*map)(vmm *v, uint64_t address, uint64_t bytes, uint64_t handle);
    bool (*unmap)(vmm *v, uint64_t address, uint64_t bytes); /* exactly what one map() mapped */
    bool (*grant)(vmm *v, uint64_t address, uint64_t bytes); /* over any number of mappings; NULL: mapping is enough */
    bool (*share)(vmm *v, uint64_t handle, int *descriptor);  /* a new one, by which other processes open the memory; NULL: none */
    /* Around every sequence of calls: makes the device the calling thread's, and puts back what the thread had. False:
     * it cannot be had. */
    bool (*enter)(vmm *v, void **former);
    void (*leave)(vmm *v, void *former);
} vmm_calls;

/* The same for copies; all come with the device entered. */
typedef struct vmm_copy_calls {
    bool (*able)(void); /* the driver has the calls below */
    void *(*host_take)(vmm *v, uint64_t bytes); /* pinned */
    void (*host_give)(vmm *v, void *memory);
    bool (*stream_create)(vmm *v, uint64_t *stream); /* that waits for no other by itself */
    void (*stream_destroy)(vmm *v, uint64_t stream);
    bool (*copy)(vmm *v, void *to, const void *from, uint64_t bytes, bool out, uint64_t stream); /* begins it */
} vmm_copy_calls;

enum piece_state {
    PIECE_NONE = 0, /* no memory */
    PIECE_MAPPED,
    PIECE_PART,  /* of the piece that begins in a slot below */
    PIECE_STUCK, /* the agent has given it back, the device would not unmap it: the next map takes it up */
    PIECE_LOOSE, /* the agent believes it mapped, but it is not: after a move that could be neither made nor undone */
    PIECE_LOST   /* the same, without even a handle */
};

/* Memory that begins in a slot: usually one slot's, a stock segment's is one piece of many. */
typedef struct piece {
    uint64_t handle;
    uint32_t slots;
    uint8_t state;
} piece;

typedef struct vmm_shared {
    uint64_t handle;
    fd descriptor;
} vmm_shared;

/* Invariant: pieces lie wholly inside the span; the slots after a piece's first are PIECE_PART. */
struct vmm {
    device head;
    const vmm_calls *calls;
    const vmm_copy_calls *copies;
    uint64_t copy_streams[2]; /* to the host, to the device; 0: not made yet */
    piece *pieces; /* by slot of the span */
    uint64_t reservation, reservation_bytes;
    vmm_shared *shared; /* few, and none in most processes */
    size_t shared_count, shared_room;
    bool orphaned; /* in a forked child: the driver is the parent's */
};

/* Reserves `ranges` ranges for head.total_bytes of memory, of options->range_bytes where that is not 0. False with the
 * reason. */
bool vmm_open(vmm *v, const lacuna_options *options, uint64_t ranges, char *why, size_t bytes);

/* Gives back the streams of copies; then all memory and the addresses. Backends call both, in this order. */
void vmm_copy_close(vmm *v);
void vmm_close(vmm *v);

/* For the backends' tables. */
extern const device_copy_ops vmm_copies;
bool vmm_map(device *d, uint64_t offset, uint64_t bytes);
bool vmm_map_whole(device *d, uint64_t offset, uint64_t bytes);
bool vmm_release(device *d, uint64_t offset, uint64_t bytes);
bool vmm_move(device *d, uint64_t from, uint64_t to, uint64_t bytes);
int vmm_share(device *d, uint64_t offset, uint64_t bytes, device_shared *out, int *descriptors, uint64_t room);
/* The memory goes back to the device: its descriptor, where it has one, is closed. */
void vmm_unshare(vmm *v, uint64_t handle);
void vmm_share_close(vmm *v);
/* Grants access once more, to everything that is mapped: who has it has changed. */
bool vmm_grant_all(vmm *v);
bool vmm_is_valid(device *d);
void vmm_forked(device *d);

/* The device is not this process's any more, or cannot be made the calling thread's. Else leave with vmm_leave(). */
static inline bool vmm_enter(vmm *v, void **former) { return !v->orphaned && v->calls->enter(v, former); }
static inline void vmm_leave(vmm *v, void *former) { v->calls->leave(v, former); }

#endif
