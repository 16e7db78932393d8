/*
 * device_virtual.c - host memory that plays a device: private anonymous memory (forked workers keep copy-on-write and
 * go on reading their parent's tensors), moved between addresses by mremap.
 */
#include "device/device.h"

#include "device/parked.h"
#include "device/sim_link.h"
#include "prim/bits.h"
#include "prim/clock.h"
#include "prim/machine.h"
#include "prim/numa_find.h"
#include "prim/pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GENEROUS 8                               /* ranges of eight capacities leave best fit room to keep extents whole */
#define USUAL_RANGE_BYTES (UINT64_C(64) << 30)   /* addresses are cheap: never less where the kernel allows */
#define FAKE_BASE (UINT64_C(1) << 44)            /* bookkeeping only: an address that no one may touch */
/*
 * Memory that arrived by mremap is a mapping of its own (its page offsets differ from its neighbours'), and the kernel
 * allows a process 65,530 mappings. Beyond this many such slots a move is refused, and the caller releases and maps
 * afresh, which merges with the neighbours.
 */
#define MAX_FOREIGN_SLOTS 8192

/*
 * Invariants: foreign_slots = number of bits set in foreign; a foreign slot is mapped or parked. With bookkeeping, no system
 * call is made and base is not an address of this process.
 */
typedef struct virtual_device {
    device head;
    uint64_t other_bytes;
    bool bookkeeping;
    bool move_unsupported; /* the kernel knows no MREMAP_DONTUNMAP */
    uint64_t foreign_slots;
    uint64_t *foreign; /* bit per slot of the span: its memory came by mremap */
    parked parked;
    char *reservation; /* what mmap returned; base is this, aligned up */
    uint64_t reservation_bytes;
    sim_link *link; /* to the host side; made by the first copy */
    uint64_t link_bytes_per_second, link_latency_ns;
} virtual_device;

static virtual_device *self(device *d) {
    return (virtual_device *)(void *)d;
}

/* ------------------------------------------------------------------ addresses */

static uint64_t round_up(uint64_t n, uint64_t unit) {
    return (n + unit - 1) / unit * unit;
}

uint64_t device_smallest_range(uint64_t capacity) {
    return round_up(capacity, SLOT_BYTES) + SLOT_BYTES;
}

uint64_t device_usual_range(uint64_t capacity) {
    uint64_t generous = GENEROUS * device_smallest_range(capacity);
    return generous > USUAL_RANGE_BYTES ? generous : USUAL_RANGE_BYTES;
}

static bool reserve(virtual_device *v, uint64_t span) {
    if (v->bookkeeping) {
        v->head.base = (char *)(uintptr_t)FAKE_BASE;
        v->head.span_bytes = span;
        return true;
    }
    uint64_t bytes = span + SLOT_BYTES;
    /* PROT_NONE counts towards `ulimit -v`: the other half is the trainer's, for its threads, files and own memory. */
    if (bytes > machine_spare_addresses() / 2) {
        errno = ENOMEM;
        return false;
    }
    char *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    v->reservation = p;
    v->reservation_bytes = bytes;
    v->head.base = (char *)(uintptr_t)round_up((uintptr_t)p, SLOT_BYTES);
    v->head.span_bytes = span;
    madvise(v->head.base, span, MADV_HUGEPAGE); /* a kernel without huge pages refuses: then small ones it is */
    return true;
}

/* ------------------------------------------------------------------ memory */

static void forget_foreign(virtual_device *v, uint64_t offset, uint64_t bytes) {
    uint64_t first = offset / SLOT_BYTES, last = (offset + bytes) / SLOT_BYTES - 1;
    if (v->foreign_slots == 0) return;
    v->foreign_slots -= bits_count(v->foreign, first, last);
    bits_clear_range(v->foreign, first, last);
}

static bool unmap(virtual_device *v, uint64_t offset, uint64_t bytes) {
    char *at = v->head.base + offset;
    if (mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED) {
        madvise(at, bytes, MADV_HUGEPAGE);
        forget_foreign(v, offset, bytes);
        return true;
    }
    /* Too many mappings to split one more: the memory can still go, the mapping stays writable and empty. */
    return madvise(at, bytes, MADV_DONTNEED) == 0;
}

static bool give_back(virtual_device *v, uint64_t offset, uint64_t bytes) {
    uint64_t began = clock_system_ns();
    bool gone = unmap(v, offset, bytes);
    if (gone) price_note(&v->head.given, clock_system_ns() - began, bytes / SLOT_BYTES);
    return gone;
}

static bool keep_at_hand(virtual_device *v, uint64_t offset, uint64_t bytes) {
    uint64_t began = clock_system_ns();
    bool kept = v->parked.open && parked_put(&v->parked, v->head.base + offset, offset / SLOT_BYTES, bytes / SLOT_BYTES);
    if (kept) price_note(&v->head.kept, clock_system_ns() - began, bytes / SLOT_BYTES);
    return kept;
}

static bool virtual_release(device *d, uint64_t offset, uint64_t bytes) {
    virtual_device *v = self(d);
    if (v->bookkeeping) return true;
    return keep_at_hand(v, offset, bytes) || give_back(v, offset, bytes);
}

static bool virtual_move(device *d, uint64_t from, uint64_t to, uint64_t bytes) {
    virtual_device *v = self(d);
    if (v->bookkeeping) return true;
    if (v->move_unsupported || v->foreign_slots + bytes / SLOT_BYTES > MAX_FOREIGN_SLOTS) return false;
    /*
     * DONTUNMAP keeps the source reserved throughout. Without it another thread's mmap could settle in the hole
     * before it is reserved again.
     */
    if (mremap(d->base + from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, d->base + to) ==
        MAP_FAILED) {
        if (errno == EINVAL) v->move_unsupported = true;
        return false;
    }
    /* The source is empty now. That it stays writable when this fails harms nobody: it holds no memory. */
    if (mmap(d->base + from, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) !=
        MAP_FAILED) {
        madvise(d->base + from, bytes, MADV_HUGEPAGE);
    }
    forget_foreign(v, from, bytes);
    forget_foreign(v, to, bytes);
    parked_forget(&v->parked, to / SLOT_BYTES, bytes / SLOT_BYTES);
    bits_set_range(v->foreign, to / SLOT_BYTES, (to + bytes) / SLOT_BYTES - 1);
    v->foreign_slots += bytes / SLOT_BYTES;
    return true;
}

/* Brings parked memory to the slots of first … last that have none; what is parked among them stays where it is. */
static void take_parked(virtual_device *v, uint64_t first, uint64_t last) {
    parked *p = &v->parked;
    for (uint64_t at = bits_next(p->slots, first, last + 1, false); at <= last;) {
        uint64_t need = bits_next(p->slots, at, last + 1, true) - at, from;
        uint64_t run = parked_run(p, first, last, need, &from);
        if (run == 0) break;
        if (!virtual_move(&v->head, from * SLOT_BYTES, at * SLOT_BYTES, run * SLOT_BYTES)) {
            run = 1; /* those of a run may lie in several mappings, each of which moves by itself */
            if (!virtual_move(&v->head, from * SLOT_BYTES, at * SLOT_BYTES, SLOT_BYTES)) break;
        }
        parked_forget(p, from, run);
        at = bits_next(p->slots, at + run, last + 1, false);
    }
    parked_forget(p, first, last - first + 1);
}

static bool virtual_map(device *d, uint64_t offset, uint64_t bytes) {
    virtual_device *v = self(d);
    if (v->bookkeeping) return true;
    if (v->parked.count > 0) take_parked(v, offset / SLOT_BYTES, (offset + bytes) / SLOT_BYTES - 1);
    if (mprotect(d->base + offset, bytes, PROT_READ | PROT_WRITE) == 0) return true;
    int cause = errno;
    give_back(v, offset, bytes); /* where several mappings lie in the run, some may be writable now and hold what was parked */
    errno = cause;
    return false;
}

static void virtual_park(device *d, bool park) {
    virtual_device *v = self(d);
    uint64_t from, run;
    v->parked.open = park && !v->bookkeeping;
    while (!park && (run = parked_run(&v->parked, v->parked.span, v->parked.span, UINT64_MAX, &from)) > 0) {
        parked_forget(&v->parked, from, run);
        give_back(v, from * SLOT_BYTES, run * SLOT_BYTES);
    }
}

/* What a slot costs, tried on one in use: the first switch is to be told, too. */
static void try_prices(virtual_device *v) {
    if (v->bookkeeping || mprotect(v->head.base, SLOT_BYTES, PROT_READ | PROT_WRITE) != 0) return;
    memset(v->head.base, 1, SLOT_BYTES);
    v->parked.open = true;
    keep_at_hand(v, 0, SLOT_BYTES);
    parked_forget(&v->parked, 0, 1);
    v->parked.open = false;
    memset(v->head.base, 1, SLOT_BYTES);
    give_back(v, 0, SLOT_BYTES);
}

/* ------------------------------------------------------------------ copies to the host side and back */

/* The host side is a mapping of its own: as a tensor it would count as device memory again. */
static void *virtual_host_take(device *d, uint64_t bytes) {
    (void)d;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p != MAP_FAILED ? p : NULL;
}

static void virtual_host_give(device *d, void *memory, uint64_t bytes) {
    (void)d;
    munmap(memory, bytes);
}

static bool virtual_begin(device *d, device_copy *c) {
    virtual_device *v = self(d);
    if (v->bookkeeping) return false;
    if (v->link == NULL) {
        v->link = sim_link_open(&d->near);
        if (v->link != NULL) sim_link_shape(v->link, v->link_bytes_per_second, v->link_latency_ns);
    }
    return v->link != NULL && sim_link_begin(v->link, c);
}

static enum event_state virtual_query(device *d, device_copy *c) {
    return sim_link_query(self(d)->link, c);
}

static bool virtual_wait(device *d, device_copy *c) {
    return sim_link_wait(self(d)->link, c);
}

static bool virtual_cancel(device *d, device_copy *c) {
    return sim_link_cancel(self(d)->link, c);
}

/* Its state stays: somebody may still be about to see that it is over. */
static void virtual_end(device *d, device_copy *c) {
    (void)d;
    (void)c;
}

static bool virtual_copy_now(device *d, device_copy *c) {
    if (self(d)->bookkeeping) return false;
    memcpy(c->to, c->from, c->bytes);
    return true;
}

static void virtual_shape(device *d, uint64_t bytes_per_second, uint64_t latency_ns) {
    virtual_device *v = self(d);
    v->link_bytes_per_second = bytes_per_second;
    v->link_latency_ns = latency_ns;
    if (v->link != NULL) sim_link_shape(v->link, bytes_per_second, latency_ns);
}

static void virtual_forked(device *d) {
    virtual_device *v = self(d);
    if (v->link != NULL) sim_link_forked(v->link);
    virtual_park(d, false); /* a worker of a training takes no steps at whose end that would be done */
}

/* ------------------------------------------------------------------ the table, opening and closing */

static uint64_t virtual_outside(device *d, uint64_t reserved) {
    (void)reserved;
    return self(d)->other_bytes;
}

static bool virtual_is_valid(device *d) {
    virtual_device *v = self(d);
    uint64_t last = d->span_bytes / SLOT_BYTES - 1;
    return bits_count(v->foreign, 0, last) == v->foreign_slots && bits_count(v->parked.slots, 0, last) == v->parked.count;
}

static void virtual_close(device *d) {
    virtual_device *v = self(d);
    if (v->link != NULL) sim_link_close(v->link);
    if (v->reservation != NULL) munmap(v->reservation, v->reservation_bytes);
    parked_close(&v->parked);
    pages_give(v->foreign, bits_bytes(d->span_bytes / SLOT_BYTES));
    free(v);
}

static const device_copy_ops virtual_copies = {
    .host_take = virtual_host_take,
    .host_give = virtual_host_give,
    .begin = virtual_begin,
    .query = virtual_query,
    .wait = virtual_wait,
    .cancel = virtual_cancel,
    .end = virtual_end,
    .copy_now = virtual_copy_now,
    .shape = virtual_shape,
};

static const device_ops virtual_ops = {
    .name = "virtual",
    .map = virtual_map,
    .release = virtual_release,
    .move = virtual_move,
    .park = virtual_park,
    .copies = &virtual_copies,
    .outside = virtual_outside,
    .forked = virtual_forked,
    .is_valid = virtual_is_valid,
    .close = virtual_close,
};

static device *open_virtual(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    (void)why, (void)bytes;
    virtual_device *v = calloc(1, sizeof *v);
    if (v == NULL) return NULL;
    v->head.ops = &virtual_ops;
    v->head.total_bytes = options->capacity_bytes;
    if (options->bookkeeping_only == 0) numa_find_virtual(&v->head.near);
    else numa_settle(&v->head.near, NUMA_NONE, NUMA_VIRTUAL);
    v->other_bytes = options->other_bytes;
    v->bookkeeping = options->bookkeeping_only != 0;

    uint64_t smallest = device_smallest_range(options->capacity_bytes);
    uint64_t range = device_usual_range(options->capacity_bytes);
    if (options->range_bytes != 0) range = smallest = options->range_bytes;
    while (!reserve(v, range * ranges)) {
        if (range == smallest) {
            free(v);
            return NULL;
        }
        range = range / 2 > smallest ? round_up(range / 2, SLOT_BYTES) : smallest;
    }
    v->foreign = pages_take(bits_bytes(v->head.span_bytes / SLOT_BYTES));
    if (v->foreign == NULL || !parked_init(&v->parked, v->head.span_bytes / SLOT_BYTES)) {
        int cause = errno;
        virtual_close(&v->head);
        errno = cause;
        return NULL;
    }
    try_prices(v);
    return &v->head;
}

const device_backend device_virtual = {.name = "host", .out_of_memory = "Lacuna", .open = open_virtual};
