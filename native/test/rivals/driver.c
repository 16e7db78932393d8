/*
 * driver.c - a stand-in for the part of the CUDA driver that PyTorch's expandable segments and the agent use: virtual
 * memory management over address space of this process, with the capacity $STANDIN_BYTES (8 GiB), on one device whose
 * streams are synchronous. What is mapped is not kept when its handle moves; nobody reads it here. The agent's own
 * backend is tested against a stricter stand-in elsewhere.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define API __attribute__((visibility("default")))
#define GRANULE (UINT64_C(2) << 20)

typedef int result;
enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2 };

/* A handle lives until it is released and mapped nowhere. */
typedef struct handle {
    uint64_t bytes;
    int holders;
} handle;

typedef struct mapping {
    uint64_t address, bytes;
    handle *memory;
    struct mapping *next;
} mapping;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static uint64_t capacity, used, peak, maps;
static mapping *mappings;

__attribute__((constructor)) static void read_capacity(void) {
    const char *text = getenv("STANDIN_BYTES");
    capacity = text ? strtoull(text, NULL, 0) : UINT64_C(8) << 30;
}

API uint64_t standin_driver_peak_bytes(void) { return peak; }
API uint64_t standin_driver_maps(void) { return maps; }

API result cuInit(unsigned flags) { return (void)flags, SUCCESS; }

API result cuGetErrorString(result r, const char **text) {
    *text = r == OUT_OF_MEMORY ? "out of memory" : r == SUCCESS ? "no error" : "invalid argument";
    return SUCCESS;
}

API result cuMemGetAllocationGranularity(size_t *bytes, const void *properties, int option) {
    (void)properties, (void)option;
    *bytes = GRANULE;
    return SUCCESS;
}

/* ------------------------------------------------------------------ one device, one context, synchronous streams */

API result cuDeviceGetCount(int *count) {
    *count = 1;
    return SUCCESS;
}

API result cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? SUCCESS : INVALID_VALUE;
}

API result cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 102; /* virtual memory management; no multicast, no fabric handles */
    return SUCCESS;
}

API result cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    *free_bytes = capacity - used;
    *total = capacity;
    return SUCCESS;
}

API result cuDevicePrimaryCtxRetain(void **context, int device) {
    static int one;
    (void)device;
    *context = &one;
    return SUCCESS;
}

API result cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    (void)device;
    *flags = 0;
    *active = 1;
    return SUCCESS;
}

API result cuDevicePrimaryCtxRelease_v2(int device) { return (void)device, SUCCESS; }
API result cuCtxGetCurrent(void **context) { return cuDevicePrimaryCtxRetain(context, 0); }
API result cuCtxPushCurrent_v2(void *context) { return (void)context, SUCCESS; }
API result cuCtxPopCurrent_v2(void **context) { return cuCtxGetCurrent(context); }
API result cuCtxSynchronize(void) { return SUCCESS; }

API result cuEventCreate(void **event, unsigned flags) {
    (void)flags;
    *event = malloc(1);
    return SUCCESS;
}

API result cuEventDestroy_v2(void *event) {
    free(event);
    return SUCCESS;
}

API result cuEventRecord(void *event, void *stream) { return (void)event, (void)stream, SUCCESS; }
API result cuEventQuery(void *event) { return (void)event, SUCCESS; }
API result cuEventSynchronize(void *event) { return (void)event, SUCCESS; }
API result cuStreamWaitEvent(void *s, void *e, unsigned flags) { return (void)s, (void)e, (void)flags, SUCCESS; }

API result cuStreamIsCapturing(void *stream, int *state) {
    (void)stream;
    *state = 0;
    return SUCCESS;
}

API result cuThreadExchangeStreamCaptureMode(int *mode) { return (void)mode, SUCCESS; }

/* ------------------------------------------------------------------ addresses */

static int nothing_at(uint64_t address, uint64_t bytes, int flags) {
    return mmap((void *)address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0) == MAP_FAILED;
}

API result cuMemAddressReserve(uint64_t *out, size_t bytes, size_t alignment, uint64_t wish, unsigned long long flags) {
    (void)alignment, (void)wish, (void)flags;
    char *raw = mmap(NULL, bytes + GRANULE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return OUT_OF_MEMORY;
    *out = ((uint64_t)(uintptr_t)raw + GRANULE - 1) & ~(GRANULE - 1);
    return SUCCESS;
}

API result cuMemAddressFree(uint64_t address, size_t bytes) {
    return munmap((void *)address, bytes) == 0 ? SUCCESS : INVALID_VALUE;
}

/* ------------------------------------------------------------------ memory */

API result cuMemCreate(uint64_t *out, size_t bytes, const void *properties, unsigned long long flags) {
    (void)properties, (void)flags;
    if (bytes % GRANULE != 0) return INVALID_VALUE;
    pthread_mutex_lock(&guard);
    handle *h = used + bytes <= capacity ? malloc(sizeof *h) : NULL;
    if (h != NULL) {
        *h = (handle){bytes, 1};
        used += bytes;
        if (used > peak) peak = used;
        *out = (uint64_t)(uintptr_t)h;
    }
    pthread_mutex_unlock(&guard);
    return h != NULL ? SUCCESS : OUT_OF_MEMORY;
}

static void let_go(handle *h) {
    if (--h->holders > 0) return;
    used -= h->bytes;
    free(h);
}

API result cuMemRelease(uint64_t h) {
    pthread_mutex_lock(&guard);
    let_go((handle *)(uintptr_t)h);
    pthread_mutex_unlock(&guard);
    return SUCCESS;
}

API result cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t h, unsigned long long flags) {
    (void)flags;
    handle *memory = (handle *)(uintptr_t)h;
    if (offset != 0 || bytes != memory->bytes) return INVALID_VALUE;
    pthread_mutex_lock(&guard);
    mapping *m = malloc(sizeof *m);
    if (m != NULL) {
        *m = (mapping){address, bytes, memory, mappings};
        mappings = m;
        memory->holders++;
        maps++;
    }
    pthread_mutex_unlock(&guard);
    return m != NULL ? SUCCESS : OUT_OF_MEMORY;
}

API result cuMemSetAccess(uint64_t address, size_t bytes, const void *descriptors, size_t count) {
    (void)descriptors, (void)count;
    return mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) == 0 ? SUCCESS : INVALID_VALUE;
}

API result cuMemUnmap(uint64_t address, size_t bytes) {
    pthread_mutex_lock(&guard);
    for (mapping **at = &mappings; *at != NULL;) {
        mapping *m = *at;
        if (m->address < address || m->address >= address + bytes) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        let_go(m->memory);
        free(m);
    }
    pthread_mutex_unlock(&guard);
    return nothing_at(address, bytes, MAP_FIXED) ? INVALID_VALUE : SUCCESS;
}
