#include "device/vmm.h"

#include "prim/clock.h"
#include "prim/pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static vmm *self(device *d) {
    return (vmm *)(void *)d;
}

static uint64_t address_at(const vmm *v, uint64_t slot) {
    return (uint64_t)(uintptr_t)v->head.base + slot * SLOT_BYTES;
}

/* ------------------------------------------------------------------ pieces */

static void put_piece(vmm *v, uint64_t slot, uint64_t handle, uint32_t slots) {
    v->pieces[slot] = (piece){handle, slots, PIECE_MAPPED};
    for (uint32_t i = 1; i < slots; i++) v->pieces[slot + i].state = PIECE_PART;
}

static void drop_piece(vmm *v, uint64_t slot) {
    uint32_t slots = v->pieces[slot].slots;
    for (uint32_t i = 0; i < slots; i++) v->pieces[slot + i] = (piece){0, 0, PIECE_NONE};
}

/* New memory for a piece; access is granted later, for a whole run. */
static bool make_piece(vmm *v, uint64_t slot, uint32_t slots) {
    uint64_t handle, bytes = slots * SLOT_BYTES;
    if (!v->calls->create(v, bytes, &handle)) return false;
    if (!v->calls->map(v, address_at(v, slot), bytes, handle)) {
        v->calls->destroy(v, handle);
        return false;
    }
    put_piece(v, slot, handle, slots);
    return true;
}

/* One call for a whole run, whatever it is made of. */
static bool grant(vmm *v, uint64_t slot, uint64_t count) {
    return v->calls->grant == NULL || v->calls->grant(v, address_at(v, slot), count * SLOT_BYTES);
}

/* Gives a piece's memory back. What the device will not unmap stays, stuck, and its slot can still be used. */
static void unmake_piece(vmm *v, uint64_t slot) {
    piece *p = &v->pieces[slot];
    if (p->state == PIECE_LOST) {
        drop_piece(v, slot);
        return;
    }
    if (p->state != PIECE_LOOSE && !v->calls->unmap(v, address_at(v, slot), p->slots * SLOT_BYTES)) {
        p->state = PIECE_STUCK;
        return;
    }
    vmm_unshare(v, p->handle);
    v->calls->destroy(v, p->handle);
    drop_piece(v, slot);
}

/* ------------------------------------------------------------------ taking memory */

/* A slot that the agent knows as unmapped: free in truth, or held by a stuck piece that goes now or is taken up. */
static bool make_room(vmm *v, uint64_t slot) {
    uint64_t head = slot;
    while (v->pieces[head].state == PIECE_PART) head--;
    if (v->pieces[head].state == PIECE_NONE) return true;
    unmake_piece(v, head);
    return v->pieces[slot].state == PIECE_NONE || (v->pieces[slot].state == PIECE_STUCK && v->pieces[slot].slots == 1);
}

static bool fill(vmm *v, uint64_t first, uint64_t count, uint32_t per_piece) {
    uint64_t at = first;
    for (; at < first + count; at += per_piece) {
        bool free = true;
        for (uint64_t i = at; i < at + per_piece && free; i++) free = make_room(v, i);
        if (!free) break;
        if (v->pieces[at].state == PIECE_STUCK && per_piece == 1) {
            v->pieces[at].state = PIECE_MAPPED;
        } else if (v->pieces[at].state != PIECE_NONE || !make_piece(v, at, per_piece)) {
            break;
        }
    }
    if (at == first + count && grant(v, first, count)) return true;
    for (uint64_t i = first; i < at; i += per_piece) unmake_piece(v, i);
    return false;
}

static bool map_run(device *d, uint64_t offset, uint64_t bytes, bool whole) {
    vmm *v = self(d);
    void *former;
    if (!vmm_enter(v, &former)) return false;
    uint64_t count = bytes / SLOT_BYTES;
    bool done = fill(v, offset / SLOT_BYTES, count, whole ? (uint32_t)count : 1);
    vmm_leave(v, former);
    return done;
}

bool vmm_map(device *d, uint64_t offset, uint64_t bytes) {
    return map_run(d, offset, bytes, false);
}

bool vmm_map_whole(device *d, uint64_t offset, uint64_t bytes) {
    return map_run(d, offset, bytes, true);
}

/* ------------------------------------------------------------------ giving it back */

bool vmm_release(device *d, uint64_t offset, uint64_t bytes) {
    vmm *v = self(d);
    void *former;
    if (!vmm_enter(v, &former)) return false;
    uint64_t end = (offset + bytes) / SLOT_BYTES, began = clock_system_ns();
    for (uint64_t at = offset / SLOT_BYTES, slots; at < end; at += slots) {
        slots = v->pieces[at].slots > 0 ? v->pieces[at].slots : 1;
        if (v->pieces[at].slots > 0) unmake_piece(v, at);
    }
    price_note(&d->given, clock_system_ns() - began, bytes / SLOT_BYTES);
    vmm_leave(v, former);
    return true;
}

/* ------------------------------------------------------------------ moving */

/* Brings a slot's memory back from where it was moved. What fails leaves the slot loose or lost, not falsely mapped. */
static void move_back(vmm *v, uint64_t from, uint64_t to) {
    piece *source = &v->pieces[from], *target = &v->pieces[to];
    if (target->state == PIECE_MAPPED) { /* it had arrived */
        if (!v->calls->unmap(v, address_at(v, to), SLOT_BYTES)) {
            target->state = PIECE_STUCK;
            *source = (piece){0, 1, PIECE_LOST};
            return;
        }
        *source = (piece){target->handle, 1, PIECE_LOOSE};
        drop_piece(v, to);
    }
    if (source->state == PIECE_LOOSE && v->calls->map(v, address_at(v, from), SLOT_BYTES, source->handle)) {
        source->state = PIECE_MAPPED;
        if (!grant(v, from, 1)) {
            source->state = v->calls->unmap(v, address_at(v, from), SLOT_BYTES) ? PIECE_LOOSE : PIECE_STUCK;
        }
    }
}

/* Takes the memory from one slot to another, without access yet. */
static bool move_piece(vmm *v, uint64_t from, uint64_t to) {
    piece *source = &v->pieces[from], *target = &v->pieces[to];
    if (source->slots != 1 || (source->state != PIECE_MAPPED && source->state != PIECE_LOOSE)) return false;
    if (!make_room(v, to) || target->state != PIECE_NONE) return false;
    if (source->state == PIECE_MAPPED && !v->calls->unmap(v, address_at(v, from), SLOT_BYTES)) return false;
    source->state = PIECE_LOOSE;
    if (!v->calls->map(v, address_at(v, to), SLOT_BYTES, source->handle)) return false;
    put_piece(v, to, source->handle, 1);
    drop_piece(v, from);
    return true;
}

bool vmm_move(device *d, uint64_t from, uint64_t to, uint64_t bytes) {
    vmm *v = self(d);
    void *former;
    if (!vmm_enter(v, &former)) return false;
    uint64_t source = from / SLOT_BYTES, target = to / SLOT_BYTES, count = bytes / SLOT_BYTES, moved = 0;
    while (moved < count && move_piece(v, source + moved, target + moved)) moved++;
    bool done = moved == count && grant(v, target, count);
    if (!done) {
        uint64_t touched = moved < count ? moved + 1 : count;
        while (touched-- > 0) move_back(v, source + touched, target + touched);
    }
    vmm_leave(v, former);
    return done;
}

/* ------------------------------------------------------------------ who may use it */

static bool is_mapped(const vmm *v, uint64_t slot) {
    uint8_t state = v->pieces[slot].state;
    return state == PIECE_MAPPED || state == PIECE_PART;
}

bool vmm_grant_all(vmm *v) {
    void *former;
    if (!vmm_enter(v, &former)) return false;
    uint64_t slots = v->head.span_bytes / SLOT_BYTES;
    bool done = true;
    for (uint64_t at = 0, end; done && at < slots; at = end) {
        for (end = at; end < slots && is_mapped(v, end); end++) {}
        done = end == at || grant(v, at, end - at);
        if (end == at) end++;
    }
    vmm_leave(v, former);
    return done;
}

/* ------------------------------------------------------------------ opening and closing */

bool vmm_is_valid(device *d) {
    vmm *v = self(d);
    uint64_t slots = d->span_bytes / SLOT_BYTES;
    for (uint64_t at = 0; at < slots; at++) {
        const piece *p = &v->pieces[at];
        if (p->state == PIECE_PART || (p->state == PIECE_NONE) != (p->slots == 0)) return false;
        for (uint32_t i = 1; i < p->slots; i++) {
            if (++at == slots || v->pieces[at].state != PIECE_PART) return false;
        }
    }
    return true;
}

void vmm_forked(device *d) {
    self(d)->orphaned = true;
    vmm_share_close(self(d)); /* or the parent's memory would stay for as long as the child lives */
}

static uint64_t round_up(uint64_t n, uint64_t unit) {
    return (n + unit - 1) / unit * unit;
}

static bool reserve(vmm *v, uint64_t span) {
    uint64_t bytes = span + SLOT_BYTES; /* not every device aligns what it reserves */
    if (!v->calls->reserve(v, bytes, &v->reservation)) return false;
    v->reservation_bytes = bytes;
    v->head.base = (char *)(uintptr_t)round_up(v->reservation, SLOT_BYTES);
    v->head.span_bytes = span;
    return true;
}

bool vmm_open(vmm *v, const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    void *former;
    uint64_t smallest = device_smallest_range(v->head.total_bytes), range = device_usual_range(v->head.total_bytes);
    if (options->range_bytes != 0) range = smallest = options->range_bytes;
    bool reserved = false;
    if (vmm_enter(v, &former)) {
        reserved = reserve(v, range * ranges);
        while (!reserved && range > smallest) {
            range = range / 2 > smallest ? round_up(range / 2, SLOT_BYTES) : smallest;
            reserved = reserve(v, range * ranges);
        }
        vmm_leave(v, former);
    }
    if (!reserved) {
        errno = ENOMEM;
        snprintf(why, bytes, "the device reserves no range of addresses, not even %llu MiB",
                 (unsigned long long)(range * ranges >> 20));
        return false;
    }
    v->pieces = pages_take(v->head.span_bytes / SLOT_BYTES * sizeof *v->pieces);
    if (v->pieces == NULL) snprintf(why, bytes, "no memory for the table of chunks");
    return v->pieces != NULL;
}

/* Whether all memory went. */
static bool unmake_all(vmm *v) {
    uint64_t slots = v->pieces != NULL ? v->head.span_bytes / SLOT_BYTES : 0, left = 0;
    for (uint64_t at = 0; at < slots; at++) {
        if (v->pieces[at].slots > 0) unmake_piece(v, at);
        left += v->pieces[at].slots;
    }
    return left == 0;
}

/* It is the last chance to give everything back, so what fails is tried once more. */
void vmm_close(vmm *v) {
    void *former;
    if (vmm_enter(v, &former) || vmm_enter(v, &former)) {
        if ((unmake_all(v) || unmake_all(v)) && v->reservation_bytes != 0) {
            v->calls->unreserve(v, v->reservation, v->reservation_bytes);
        }
        vmm_leave(v, former);
    }
    vmm_share_close(v);
    free(v->shared);
    uint64_t slots = v->head.span_bytes / SLOT_BYTES;
    pages_give(v->pieces, slots * sizeof *v->pieces);
}
