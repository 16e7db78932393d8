/*
 * memory.c - a device's memory is a file of no name: what cudaMalloc gives lies in one mapping of all of it, what
 * cuMemCreate gives is mapped where cuMemMap says, and another process may open either through /proc.
 *
 * A piece lies at the lowest place that is free, pieces of one granule (the segments of PyTorch's small pool) in the
 * lower half: PyTorch breaks ties between free blocks by address, and so others can be held against it.
 */
#include "books.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BY_DESCRIPTOR = 1 }; /* of the ways to share physical memory: CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR */

/* Room for what fragments. Not more: addresses that a sanitizer leaves to programs are few. */
static uint64_t half(void) { return 16 * ((standin_capacity() + GRANULE - 1) & ~(GRANULE - 1)); }
static uint64_t file_bytes(void) { return 2 * half(); }

typedef struct piece {
    uint64_t at, bytes;
    struct piece *next; /* by place */
} piece;

/* Physical memory lives until it is released and mapped nowhere. */
typedef struct handle {
    uint64_t at, bytes;
    int device, mappings;
    int file;      /* that it lies in: the device's, or another process's, opened */
    int shareable; /* what it was asked to be: 1 by a descriptor */
    bool imported, released;
} handle;

typedef struct mapping {
    uint64_t address, bytes;
    handle *memory;
    uint32_t reachable_by; /* devices, a bit each */
    struct mapping *next;
} mapping;

typedef struct area { /* reserved addresses, pinned memory, or what another process shares */
    uint64_t address, bytes, raw, raw_bytes;
    bool ours;
    struct area *next;
} area;

static struct {
    int file;
    char *base;
    uint64_t used;
    piece *pieces[2];
} of[DEVICES];

enum { BUCKETS = 65536 };
static mapping *mappings[BUCKETS]; /* by granule */
static area *reserved, *hosts, *opened;

uint64_t standin_used(int device) { return of[device].used; }

/* ------------------------------------------------------------------ pieces of a device; the lock is held */

static bool open_device(int device) {
    if (of[device].base != NULL) return true;
    of[device].file = memfd_create("stand-in device", MFD_CLOEXEC);
    if (of[device].file < 0 || ftruncate(of[device].file, (off_t)file_bytes()) != 0) return false;
    char *raw = mmap(NULL, file_bytes() + GRANULE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return false;
    char *base = (char *)(((uintptr_t)raw + GRANULE - 1) & ~(uintptr_t)(GRANULE - 1));
    int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
    if (mmap(base, file_bytes(), PROT_READ | PROT_WRITE, flags, of[device].file, 0) == MAP_FAILED) return false;
    of[device].base = base;
    return true;
}

static piece *take(int device, uint64_t bytes) {
    if (!open_device(device) || bytes > standin_capacity() - of[device].used) return NULL;
    bool large = bytes > GRANULE;
    uint64_t at = large ? half() : 0, end = at + half();
    piece **link = &of[device].pieces[large];
    for (; *link != NULL && (*link)->at - at < bytes; link = &(*link)->next) at = (*link)->at + (*link)->bytes;
    piece *p = bytes <= end - at ? malloc(sizeof *p) : NULL;
    if (p == NULL) return NULL;
    *p = (piece){at, bytes, *link};
    *link = p;
    of[device].used += bytes;
    return p;
}

static bool give(int device, uint64_t at) {
    for (piece **link = &of[device].pieces[at >= half()]; *link != NULL; link = &(*link)->next) {
        piece *p = *link;
        if (p->at != at) continue;
        of[device].used -= p->bytes;
        fallocate(of[device].file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)p->bytes);
        *link = p->next;
        free(p);
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ cudaMalloc, cudaFree */

static int device_by_base(const void *address) {
    for (int d = 0; d < DEVICES; d++) {
        const char *base = of[d].base;
        if (base != NULL && (const char *)address >= base && (const char *)address < base + file_bytes()) return d;
    }
    return -1;
}

void *standin_malloc(int device, uint64_t bytes) {
    standin_lock();
    piece *p = take(device, (bytes + GRANULE - 1) & ~(GRANULE - 1));
    char *given = p != NULL ? of[device].base + p->at : NULL;
    standin_unlock();
    return given;
}

int standin_free(void *address) {
    standin_finish_all();
    standin_lock();
    int device = device_by_base(address);
    bool freed = device >= 0 && give(device, (uint64_t)((char *)address - of[device].base));
    standin_unlock();
    if (!freed) standin_problem("cudaFree of what is no block");
    return freed ? device : -1;
}

static piece *piece_at(int device, uint64_t at) {
    piece *p = of[device].pieces[at >= half()];
    while (p != NULL && at - p->at >= p->bytes) p = p->next;
    return p;
}

uint64_t standin_piece(const void *address, void **begins) {
    uint64_t bytes = 0;
    standin_lock();
    int device = device_by_base(address);
    piece *p = device >= 0 ? piece_at(device, (uint64_t)((const char *)address - of[device].base)) : NULL;
    if (p != NULL) {
        *begins = of[device].base + p->at;
        bytes = p->bytes;
    }
    standin_unlock();
    return bytes;
}

/* ------------------------------------------------------------------ areas */

static bool add_area(area **list, area what) {
    area *a = malloc(sizeof *a);
    if (a == NULL) return false;
    *a = what;
    standin_lock();
    a->next = *list;
    *list = a;
    standin_unlock();
    return true;
}

static area *area_of(area *list, uint64_t address) {
    while (list != NULL && address - list->address >= list->bytes) list = list->next;
    return list;
}

/* The area that begins there, out of its list; the caller frees it. */
static area *drop_area(area **list, uint64_t address) {
    standin_lock();
    while (*list != NULL && (*list)->address != address) list = &(*list)->next;
    area *found = *list;
    if (found != NULL) *list = found->next;
    standin_unlock();
    return found;
}

bool standin_host_add(void *address, uint64_t bytes, bool ours) {
    return add_area(&hosts, (area){(uintptr_t)address, bytes, 0, 0, ours, NULL});
}

bool standin_host_drop(void *address) {
    area *a = drop_area(&hosts, (uintptr_t)address);
    if (a == NULL) return false;
    if (a->ours) free(address);
    free(a);
    return true;
}

bool standin_is_host(const void *address) {
    standin_lock();
    bool found = area_of(hosts, (uintptr_t)address) != NULL;
    standin_unlock();
    return found;
}

/* ------------------------------------------------------------------ memory by address; the lock is held */

static mapping **bucket(uint64_t address) { return &mappings[address / GRANULE % BUCKETS]; }

static mapping *begins_at(uint64_t address) {
    mapping *m = *bucket(address);
    while (m != NULL && m->address != address) m = m->next;
    return m;
}

static mapping *mapping_of(uint64_t address) {
    area *r = area_of(reserved, address);
    if (r == NULL) return NULL;
    for (uint64_t at = address & ~(GRANULE - 1);; at -= GRANULE) {
        mapping *m = begins_at(at);
        if (m != NULL) return address - at < m->bytes ? m : NULL;
        if (at == r->address) return NULL;
    }
}

static void bury(handle *h) {
    if (!h->released || h->mappings > 0) return;
    if (h->imported) close(h->file);
    else give(h->device, h->at);
    free(h);
}

static int nothing_at(uint64_t address, uint64_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return mmap((void *)(uintptr_t)address, bytes, PROT_NONE, flags, -1, 0) == MAP_FAILED ? INVALID_VALUE : SUCCESS;
}

static int refuse(const char *what) {
    standin_problem("%s", what);
    return INVALID_VALUE;
}

/* All of a stretch is mapped: calls a function for each mapping, where one is given. */
static bool each_mapping(uint64_t address, uint64_t bytes, void (*call)(mapping *, int), int argument) {
    for (uint64_t at = address; at < address + bytes;) {
        mapping *m = mapping_of(at);
        if (m == NULL) return false;
        if (call != NULL) call(m, argument);
        at = m->address + m->bytes;
    }
    return true;
}

static void reach(mapping *m, int device) { m->reachable_by |= UINT32_C(1) << device; }

/* ------------------------------------------------------------------ what a device may touch */

static int device_locked(const void *address) {
    int device = device_by_base(address);
    mapping *m = device < 0 ? mapping_of((uintptr_t)address) : NULL;
    return m != NULL ? m->memory->device : device;
}

int standin_device_of(const void *address) {
    standin_lock();
    int device = device_locked(address);
    standin_unlock();
    return device;
}

bool standin_is_mapped_by_address(const void *address) {
    standin_lock();
    bool found = mapping_of((uintptr_t)address) != NULL;
    standin_unlock();
    return found;
}

static bool may_touch_mapped(int device, uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes;) {
        mapping *m = mapping_of(at);
        if (m == NULL || (m->reachable_by >> device & 1) == 0) return false;
        at = m->address + m->bytes;
    }
    return true;
}

/* What cudaMalloc gave is copied between devices by staging where peers are off; mapped memory is not. */
bool standin_may_touch(int device, const void *address, uint64_t bytes) {
    uint64_t at = (uintptr_t)address;
    standin_lock();
    int owner = device_by_base(address);
    bool may = true;
    if (owner >= 0) {
        uint64_t place = (uint64_t)((const char *)address - of[owner].base);
        piece *p = piece_at(owner, place);
        may = p != NULL && place + bytes <= p->at + p->bytes;
    } else if (area_of(reserved, at) != NULL) {
        may = may_touch_mapped(device, at, bytes);
    }
    standin_unlock();
    return may;
}

/* ------------------------------------------------------------------ between processes */

typedef struct shared {
    pid_t process;
    int file, device;
    uint64_t at, bytes;
} shared;

static int open_file_of(const shared *s) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)s->process, s->file);
    return open(path, O_RDWR | O_CLOEXEC);
}

/* As with the driver: memory by address has no such handle. */
int standin_share(const void *address, void *out) {
    void *begins;
    uint64_t bytes = standin_piece(address, &begins);
    if (bytes == 0) return INVALID_VALUE;
    int device = standin_device_of(begins);
    shared s = {getpid(), of[device].file, device, (uint64_t)((char *)begins - of[device].base), bytes};
    memset(out, 0, 64);
    memcpy(out, &s, sizeof s);
    return SUCCESS;
}

int standin_open_shared(void **out, const void *from) {
    shared s;
    memcpy(&s, from, sizeof s);
    int file = open_file_of(&s);
    if (file < 0) return INVALID_VALUE;
    *out = mmap(NULL, s.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)s.at);
    close(file);
    if (*out == MAP_FAILED) return OUT_OF_MEMORY;
    return add_area(&opened, (area){(uintptr_t)*out, s.bytes, 0, 0, true, NULL}) ? SUCCESS : OUT_OF_MEMORY;
}

int standin_close_shared(void *address) {
    area *a = drop_area(&opened, (uintptr_t)address);
    if (a == NULL) return INVALID_VALUE;
    munmap(address, a->bytes);
    free(a);
    return SUCCESS;
}

/* ------------------------------------------------------------------ the driver's calls */

API int cuMemGetAllocationGranularity(size_t *bytes, const void *properties, int option) {
    (void)properties, (void)option;
    *bytes = GRANULE;
    return SUCCESS;
}

API int cuMemAddressReserve(uint64_t *out, size_t bytes, size_t alignment, uint64_t wish, unsigned long long flags) {
    (void)wish, (void)flags;
    if (bytes == 0 || bytes % GRANULE != 0) return refuse("cuMemAddressReserve of no whole granules");
    if (alignment < GRANULE) alignment = GRANULE;
    uint64_t raw_bytes = bytes + alignment;
    char *raw = mmap(NULL, raw_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return OUT_OF_MEMORY;
    uint64_t at = ((uintptr_t)raw + alignment - 1) & ~(uint64_t)(alignment - 1);
    *out = at;
    return add_area(&reserved, (area){at, bytes, (uintptr_t)raw, raw_bytes, true, NULL}) ? SUCCESS : OUT_OF_MEMORY;
}

static bool is_empty(uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes; at += GRANULE) {
        if (begins_at(at) != NULL) return false;
    }
    return true;
}

API int cuMemAddressFree(uint64_t address, size_t bytes) {
    standin_lock();
    area *r = area_of(reserved, address);
    bool whole = r != NULL && r->address == address && r->bytes == bytes;
    bool empty = whole && is_empty(address, bytes);
    standin_unlock();
    if (!whole) return refuse("addresses are freed that were not reserved so");
    if (!empty) return refuse("addresses are freed while memory is mapped there");
    r = drop_area(&reserved, address);
    munmap((void *)(uintptr_t)r->raw, r->raw_bytes);
    free(r);
    return SUCCESS;
}

API int cuMemCreate(uint64_t *out, size_t bytes, const void *properties, unsigned long long flags) {
    (void)flags;
    int device = ((const int *)properties)[3]; /* CUmemAllocationProp.location.id */
    if (bytes == 0 || bytes % GRANULE != 0 || device < 0 || device >= standin_devices()) {
        return refuse("cuMemCreate has invalid arguments");
    }
    int unsafe = standin_unsafe("cuMemCreate"), shareable = ((const int *)properties)[1];
    if (unsafe != SUCCESS) return unsafe;
    if ((shareable & ~BY_DESCRIPTOR) != 0) return NOT_SUPPORTED;
    handle *h = calloc(1, sizeof *h);
    if (h == NULL) return OUT_OF_MEMORY;
    standin_lock();
    piece *p = take(device, bytes);
    if (p != NULL) *h = (handle){.at = p->at, .bytes = bytes, .device = device, .file = of[device].file, .shareable = shareable};
    standin_unlock();
    if (p == NULL) {
        free(h);
        return OUT_OF_MEMORY;
    }
    *out = (uintptr_t)h;
    return SUCCESS;
}

/* The descriptor is of a file that tells where the memory lies. */
API int cuMemExportToShareableHandle(void *out, uint64_t memory, int type, unsigned long long flags) {
    (void)flags;
    const handle *h = (const handle *)(uintptr_t)memory;
    shared s = {getpid(), h->file, h->device, h->at, h->bytes};
    if (type != BY_DESCRIPTOR || (h->shareable & type) == 0) return refuse("memory is exported that was not made to be");
    int told = memfd_create("stand-in memory", MFD_CLOEXEC);
    if (told < 0 || pwrite(told, &s, sizeof s, 0) != (ssize_t)sizeof s) return OUT_OF_MEMORY;
    memcpy(out, &told, sizeof told);
    return SUCCESS;
}

API int cuMemImportFromShareableHandle(uint64_t *out, void *descriptor, int type) {
    shared s;
    if (type != BY_DESCRIPTOR || pread((int)(intptr_t)descriptor, &s, sizeof s, 0) != (ssize_t)sizeof s) return INVALID_VALUE;
    handle *h = calloc(1, sizeof *h);
    if (h == NULL) return OUT_OF_MEMORY;
    *h = (handle){.at = s.at, .bytes = s.bytes, .device = s.device, .file = open_file_of(&s), .imported = true};
    if (h->file < 0) {
        free(h);
        return INVALID_VALUE;
    }
    *out = (uintptr_t)h;
    return SUCCESS;
}

API int cuMemRelease(uint64_t memory) {
    handle *h = (handle *)(uintptr_t)memory;
    standin_lock();
    bool again = h->released;
    h->released = true;
    if (!again) bury(h);
    standin_unlock();
    return again ? refuse("memory is released twice") : SUCCESS;
}

API int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t memory, unsigned long long flags) {
    (void)flags;
    handle *h = (handle *)(uintptr_t)memory;
    mapping *m = calloc(1, sizeof *m);
    if (m == NULL) return OUT_OF_MEMORY;
    standin_lock();
    area *r = area_of(reserved, address);
    bool fits = r != NULL && address + bytes <= r->address + r->bytes && address % GRANULE == 0;
    bool right = fits && offset == 0 && bytes == h->bytes && !h->released && is_empty(address, bytes);
    if (right) {
        *m = (mapping){address, bytes, h, 0, *bucket(address)};
        *bucket(address) = m;
        h->mappings++;
    }
    standin_unlock();
    if (right) return SUCCESS;
    free(m);
    return refuse("cuMemMap where it may not be, or of what may not be mapped");
}

/* The file's pages come with the access: what is only mapped cannot be touched. */
static void show(mapping *m, int unused) {
    (void)unused;
    int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file = m->memory->file;
    if (m->reachable_by != 0) return;
    if (mmap((void *)(uintptr_t)m->address, m->bytes, PROT_READ | PROT_WRITE, flags, file, (off_t)m->memory->at) == MAP_FAILED) abort();
}

API int cuMemSetAccess(uint64_t address, size_t bytes, const void *access, size_t count) {
    const int *words = access; /* CUmemAccessDesc: type, id, flags */
    standin_lock();
    bool mapped = each_mapping(address, bytes, NULL, 0);
    for (size_t i = 0; mapped && i < count; i++) {
        if (words[3 * i + 2] != 3) continue;
        each_mapping(address, bytes, show, 0);
        each_mapping(address, bytes, reach, words[3 * i + 1]);
    }
    standin_unlock();
    return mapped ? SUCCESS : refuse("access is granted where not all is mapped");
}

static void unmap(mapping *m) {
    mapping **link = bucket(m->address);
    while (*link != m) link = &(*link)->next;
    *link = m->next;
    m->memory->mappings--;
    bury(m->memory);
    free(m);
}

/* Whole mappings alone, and none that a stream may still use. */
API int cuMemUnmap(uint64_t address, size_t bytes) {
    int unsafe = standin_unsafe("cuMemUnmap");
    if (unsafe != SUCCESS) return unsafe;
    standin_lock();
    mapping *last = bytes != 0 ? mapping_of(address + bytes - 1) : NULL;
    bool whole = begins_at(address) != NULL && last != NULL && last->address + last->bytes == address + bytes &&
                 each_mapping(address, bytes, NULL, 0);
    int user = whole ? standin_user_of(address, bytes) : -1;
    if (whole && user < 0) {
        for (uint64_t at = address; at < address + bytes;) {
            mapping *m = begins_at(at);
            at += m->bytes;
            unmap(m);
        }
        nothing_at(address, bytes);
    }
    standin_unlock();
    if (!whole) return refuse("cuMemUnmap of what is not mapped so");
    return user < 0 ? SUCCESS : refuse("cuMemUnmap of memory that a stream may still use");
}

API int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t address) {
    void *begins = NULL;
    uint64_t found = standin_piece((const void *)(uintptr_t)address, &begins);
    standin_lock();
    mapping *m = found == 0 ? mapping_of(address) : NULL;
    if (m != NULL) begins = (void *)(uintptr_t)m->address;
    if (m != NULL) found = m->bytes;
    standin_unlock();
    if (base != NULL) *base = (uintptr_t)begins;
    if (bytes != NULL) *bytes = found;
    return found != 0 ? SUCCESS : INVALID_VALUE;
}

/* ------------------------------------------------------------------ copies and sets */

static int refuse_touch(const char *what, int device) {
    standin_problem("%s on device %d touches memory that it may not", what, device);
    return INVALID_VALUE;
}

int standin_copy_peer(void *to, const void *from, uint64_t bytes, void *stream) {
    memmove(to, from, bytes);
    standin_block_written(to, bytes);
    standin_worked(stream, to, bytes);
    standin_worked(stream, from, bytes);
    return SUCCESS;
}

int standin_copy(int device, void *to, const void *from, uint64_t bytes, void *stream) {
    bool may = standin_may_touch(device, to, bytes) && standin_may_touch(device, from, bytes);
    return may ? standin_copy_peer(to, from, bytes, stream) : refuse_touch("a copy", device);
}

int standin_set(int device, void *to, int value, uint64_t bytes, void *stream) {
    if (!standin_may_touch(device, to, bytes)) return refuse_touch("a set", device);
    memset(to, value, bytes);
    standin_block_written(to, bytes);
    standin_worked(stream, to, bytes);
    return SUCCESS;
}

int standin_set_words(int device, void *to, unsigned value, uint64_t words, void *stream) {
    if (!standin_may_touch(device, to, words * 4)) return refuse_touch("a set", device);
    for (uint64_t i = 0; i < words; i++) ((unsigned *)to)[i] = value;
    standin_block_written(to, words * 4);
    standin_worked(stream, to, words * 4);
    return SUCCESS;
}
