/*
 * vmm_share.c - physical memory that other processes open: a descriptor for each piece, which is closed as the piece goes
 * back to the device. Pieces may move to other addresses meanwhile: whoever has opened one has mapped it itself.
 */
#include "device/vmm.h"

#include <stdlib.h>
#include <sys/resource.h>

static vmm *self(device *d) {
    return (vmm *)(void *)d;
}

static int known(const vmm *v, uint64_t handle) {
    for (size_t i = 0; i < v->shared_count; i++) {
        if (v->shared[i].handle == handle) return fd_number(&v->shared[i].descriptor);
    }
    return -1;
}

static bool room_for_one(vmm *v) {
    if (v->shared_count < v->shared_room) return true;
    size_t room = v->shared_room == 0 ? 16 : 2 * v->shared_room;
    vmm_shared *more = realloc(v->shared, room * sizeof *more);
    if (more == NULL) return false;
    v->shared = more;
    v->shared_room = room;
    return true;
}

/* What cudaMalloc gives needs one descriptor, a large block of ours one a slot: the usual 1,024 would not do. */
static bool raise_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* -1: the device or the process has none left. */
static int describe(vmm *v, uint64_t handle) {
    int number = known(v, handle);
    if (number >= 0) return number;
    vmm_unshare(v, handle); /* somebody has closed it */
    if (!room_for_one(v) || (!v->calls->share(v, handle, &number) && (!raise_limit() || !v->calls->share(v, handle, &number)))) return -1;
    fd taken = fd_take(number);
    if (taken.number >= 0) v->shared[v->shared_count++] = (vmm_shared){handle, taken};
    return taken.number;
}

static uint64_t first_slot_of(const vmm *v, uint64_t slot) {
    while (slot > 0 && v->pieces[slot].state == PIECE_PART) slot--;
    return slot;
}

static int share_pieces(vmm *v, uint64_t first, uint64_t end, device_shared *out, int *descriptors, uint64_t room) {
    uint32_t slots = v->pieces[first].slots;
    *out = (device_shared){first * SLOT_BYTES, slots * SLOT_BYTES, 0};
    for (uint64_t at = first; at < end; at += slots) {
        if (v->pieces[at].state != PIECE_MAPPED || v->pieces[at].slots != slots) return LACUNA_INVALID;
        if (out->pieces < room && (descriptors[out->pieces] = describe(v, v->pieces[at].handle)) < 0) return LACUNA_INVALID;
        out->pieces++;
    }
    return LACUNA_OK;
}

int vmm_share(device *d, uint64_t offset, uint64_t bytes, device_shared *out, int *descriptors, uint64_t room) {
    vmm *v = self(d);
    void *former;
    if (!vmm_enter(v, &former)) return LACUNA_INVALID;
    uint64_t first = first_slot_of(v, offset / SLOT_BYTES), end = (offset + bytes + SLOT_BYTES - 1) / SLOT_BYTES;
    int code = share_pieces(v, first, end, out, descriptors, room);
    vmm_leave(v, former);
    return code;
}

void vmm_unshare(vmm *v, uint64_t handle) {
    for (size_t i = 0; i < v->shared_count; i++) {
        if (v->shared[i].handle != handle) continue;
        fd_close(&v->shared[i].descriptor);
        v->shared[i] = v->shared[--v->shared_count];
        return;
    }
}

void vmm_share_close(vmm *v) {
    for (size_t i = 0; i < v->shared_count; i++) fd_close(&v->shared[i].descriptor);
    v->shared_count = 0;
}
