/*
 * runtime.c - a stand-in for the CUDA runtime, enough for the real libtorch to allocate and to "train": device memory
 * is address space of this process with a capacity ($STANDIN_BYTES, 8 GiB), streams are synchronous, kernels do
 * nothing. Signatures and structure offsets are those of CUDA 12's documented runtime API. What is not here is made by
 * no_ops.py and answers "not supported".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define API __attribute__((visibility("default")))
#define GRANULE (UINT64_C(2) << 20) /* what the driver takes memory in */
#define COPIED_BYTES (UINT64_C(64) << 10) /* larger copies are not made: nobody reads what no kernel has written */

typedef int status;
enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_SUPPORTED = 801 };

/* ------------------------------------------------------------------ the last error, per thread as CUDA has it */

static __thread status last;

static status answer(status s) {
    if (s != SUCCESS) last = s;
    return s;
}

API status cudaGetLastError(void) {
    status s = last;
    last = SUCCESS;
    return s;
}

API status cudaPeekAtLastError(void) { return last; }

API const char *cudaGetErrorString(status s) {
    return s == SUCCESS ? "no error" : s == OUT_OF_MEMORY ? "out of memory" : "refused by the stand-in runtime";
}

API const char *cudaGetErrorName(status s) { return s == OUT_OF_MEMORY ? "cudaErrorMemoryAllocation" : "cudaErrorStandIn"; }

/* ------------------------------------------------------------------ memory */

/*
 * A piece lies at the lowest addresses that are free, pieces of one granule (the segments of PyTorch's small pool) in
 * a range of their own: PyTorch breaks ties between free blocks by address, and so the models can be held against it.
 */
typedef struct piece {
    uint64_t at, bytes;
    struct piece *next; /* by address */
} piece;

typedef struct range {
    char *base;
    piece *pieces;
} range;

#define RANGE_BYTES (UINT64_C(4) << 40)

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static uint64_t capacity, used, peak, calls;
static range ranges[2];

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("STANDIN_BYTES");
    capacity = text ? strtoull(text, NULL, 0) : UINT64_C(8) << 30;
    for (int i = 0; i < 2; i++) {
        char *raw = mmap(NULL, RANGE_BYTES + GRANULE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (raw == MAP_FAILED) abort();
        ranges[i].base = (char *)(((uintptr_t)raw + GRANULE - 1) & ~(uintptr_t)(GRANULE - 1));
    }
}

API uint64_t standin_peak_bytes(void) { return peak; }
API uint64_t standin_device_mallocs(void) { return calls; }

static char *place(range *r, uint64_t bytes) {
    piece *p = malloc(sizeof *p);
    if (p == NULL) return NULL;
    uint64_t at = 0;
    piece **link = &r->pieces;
    for (; *link != NULL && (*link)->at - at < bytes; link = &(*link)->next) at = (*link)->at + (*link)->bytes;
    *p = (piece){at, bytes, *link};
    *link = p;
    return r->base + at;
}

API status cudaMalloc(void **out, size_t bytes) {
    uint64_t rounded = (bytes + GRANULE - 1) & ~(GRANULE - 1);
    pthread_mutex_lock(&guard);
    calls++;
    *out = used + rounded <= capacity ? place(&ranges[rounded > GRANULE], rounded) : NULL;
    if (*out != NULL) used += rounded;
    if (used > peak) peak = used;
    pthread_mutex_unlock(&guard);
    return answer(*out != NULL ? SUCCESS : OUT_OF_MEMORY);
}

/* The bytes given back; 0 when no piece begins there. */
static uint64_t take_back(range *r, char *address) {
    for (piece **link = &r->pieces; *link != NULL; link = &(*link)->next) {
        piece *p = *link;
        if (r->base + p->at != address) continue;
        uint64_t bytes = p->bytes;
        *link = p->next;
        free(p);
        madvise(address, bytes, MADV_DONTNEED);
        return bytes;
    }
    return 0;
}

API status cudaFree(void *address) {
    if (address == NULL) return SUCCESS;
    pthread_mutex_lock(&guard);
    uint64_t bytes = take_back(&ranges[0], address);
    if (bytes == 0) bytes = take_back(&ranges[1], address);
    used -= bytes;
    pthread_mutex_unlock(&guard);
    return answer(bytes != 0 ? SUCCESS : INVALID_VALUE);
}

API status cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    *free_bytes = capacity - used;
    *total = capacity;
    return SUCCESS;
}

API status cudaHostAlloc(void **out, size_t bytes, unsigned flags) {
    (void)flags;
    return posix_memalign(out, 4096, bytes) == 0 ? SUCCESS : answer(OUT_OF_MEMORY);
}

API status cudaFreeHost(void *p) {
    free(p);
    return SUCCESS;
}

static void copy(void *to, const void *from, size_t bytes) {
    if (bytes <= COPIED_BYTES) memcpy(to, from, bytes);
}

API status cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    (void)kind;
    copy(to, from, bytes);
    return SUCCESS;
}

API status cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)kind, (void)stream;
    copy(to, from, bytes);
    return SUCCESS;
}

API status cudaMemset(void *p, int value, size_t bytes) {
    (void)p, (void)value, (void)bytes;
    return SUCCESS;
}

API status cudaMemsetAsync(void *p, int value, size_t bytes, void *stream) {
    (void)stream;
    return cudaMemset(p, value, bytes);
}

API status cudaPointerGetAttributes(void *attributes, const void *p) {
    (void)p;
    memset(attributes, 0, 32);
    return SUCCESS;
}

/* ------------------------------------------------------------------ devices */

static __thread int current;

API status cudaGetDeviceCount(int *n) {
    *n = 1;
    return SUCCESS;
}

API status cudaGetDevice(int *d) {
    *d = current;
    return SUCCESS;
}

API status cudaSetDevice(int d) {
    if (d != 0) return answer(INVALID_VALUE);
    current = d;
    return SUCCESS;
}

API status cudaDriverGetVersion(int *v) {
    *v = 12080;
    return SUCCESS;
}

API status cudaRuntimeGetVersion(int *v) { return cudaDriverGetVersion(v); }

static void put_int(void *record, size_t offset, int value) { memcpy((char *)record + offset, &value, sizeof value); }

static void put_size(void *record, size_t offset, size_t value) { memcpy((char *)record + offset, &value, sizeof value); }

/* cudaDeviceProp of CUDA 12: the fields that libtorch looks at, with the figures of a compute capability 9.0 device. */
API status cudaGetDeviceProperties_v2(void *p, int device) {
    if (device != 0) return answer(INVALID_VALUE);
    memset(p, 0, 1032);
    strcpy(p, "stand-in");
    put_size(p, 288, capacity); /* totalGlobalMem */
    put_size(p, 296, 49152);    /* sharedMemPerBlock */
    put_int(p, 304, 65536);     /* regsPerBlock */
    put_int(p, 308, 32);        /* warpSize */
    put_size(p, 312, 2147483647);
    put_int(p, 320, 1024); /* maxThreadsPerBlock */
    put_int(p, 324, 1024); /* maxThreadsDim */
    put_int(p, 328, 1024);
    put_int(p, 332, 64);
    put_int(p, 336, 2147483647); /* maxGridSize */
    put_int(p, 340, 65535);
    put_int(p, 344, 65535);
    put_size(p, 352, 65536); /* totalConstMem */
    put_int(p, 360, 9);      /* major */
    put_int(p, 388, 132);    /* multiProcessorCount */
    put_int(p, 576, 1);
    put_int(p, 604, 1);
    put_int(p, 616, 50 << 20); /* l2CacheSize */
    put_int(p, 624, 2048);     /* maxThreadsPerMultiProcessor */
    put_size(p, 640, 233472);  /* sharedMemPerMultiprocessor */
    put_int(p, 648, 65536);    /* regsPerMultiprocessor */
    put_int(p, 688, 1);
    put_size(p, 696, 232448); /* sharedMemPerBlockOptin */
    return SUCCESS;
}

/* cudaDeviceAttr, by number. */
API status cudaDeviceGetAttribute(int *v, int attribute, int device) {
    (void)device;
    switch (attribute) {
        case 1: *v = 1024; break;   /* MaxThreadsPerBlock */
        case 10: *v = 32; break;    /* WarpSize */
        case 16: *v = 132; break;   /* MultiProcessorCount */
        case 39: *v = 2048; break;  /* MaxThreadsPerMultiProcessor */
        case 75: *v = 9; break;     /* ComputeCapabilityMajor */
        case 97: *v = 232448; break; /* MaxSharedMemoryPerBlockOptin */
        default: *v = 0;
    }
    return SUCCESS;
}

API status cudaDeviceSynchronize(void) { return SUCCESS; }

API status cudaDeviceCanAccessPeer(int *can, int a, int b) {
    (void)a, (void)b;
    *can = 0;
    return SUCCESS;
}

API status cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
    (void)device;
    snprintf(text, (size_t)bytes, "0000:00:00.0");
    return SUCCESS;
}

API status cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}

/* ------------------------------------------------------------------ streams and events: all work is done at once */

static void *fresh(void) {
    static uintptr_t handles = 0x10000;
    return (void *)__atomic_add_fetch(&handles, 16, __ATOMIC_RELAXED);
}

API status cudaStreamCreateWithPriority(void **s, unsigned flags, int priority) {
    (void)flags, (void)priority;
    *s = fresh();
    return SUCCESS;
}

API status cudaStreamQuery(void *s) { return (void)s, SUCCESS; }
API status cudaStreamSynchronize(void *s) { return (void)s, SUCCESS; }
API status cudaStreamWaitEvent(void *s, void *e, unsigned flags) { return (void)s, (void)e, (void)flags, SUCCESS; }

API status cudaStreamGetPriority(void *s, int *priority) {
    (void)s;
    *priority = 0;
    return SUCCESS;
}

API status cudaStreamIsCapturing(void *s, int *state) {
    (void)s;
    *state = 0;
    return SUCCESS;
}

API status cudaStreamGetCaptureInfo_v2(void *s, int *state, unsigned long long *id, void **g, const void **d, size_t *n) {
    (void)s, (void)g, (void)d, (void)n;
    *state = 0;
    if (id != NULL) *id = 0;
    return SUCCESS;
}

API status cudaThreadExchangeStreamCaptureMode(int *mode) { return (void)mode, SUCCESS; }

API status cudaEventCreateWithFlags(void **e, unsigned flags) {
    (void)flags;
    *e = fresh();
    return SUCCESS;
}

API status cudaEventCreate(void **e) { return cudaEventCreateWithFlags(e, 0); }
API status cudaEventDestroy(void *e) { return (void)e, SUCCESS; }
API status cudaEventQuery(void *e) { return (void)e, SUCCESS; }
API status cudaEventRecord(void *e, void *s) { return (void)e, (void)s, SUCCESS; }
API status cudaEventSynchronize(void *e) { return (void)e, SUCCESS; }

API status cudaEventElapsedTime(float *ms, void *a, void *b) {
    (void)a, (void)b;
    *ms = 0;
    return SUCCESS;
}

/* ------------------------------------------------------------------ kernels: registered, launched, never run */

static uint64_t launched;

API uint64_t standin_launches(void) { return launched; }

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

API status cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream) {
    (void)f, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    __atomic_fetch_add(&launched, 1, __ATOMIC_RELAXED);
    return SUCCESS;
}

API status cudaLaunchKernelExC(const void *configuration, const void *f, void **arguments) {
    (void)configuration, (void)f, (void)arguments;
    __atomic_fetch_add(&launched, 1, __ATOMIC_RELAXED);
    return SUCCESS;
}

API status cudaFuncGetAttributes(void *attributes, const void *f) {
    (void)f;
    memset(attributes, 0, 144);
    put_int(attributes, 24, 1024); /* maxThreadsPerBlock */
    put_int(attributes, 28, 32);   /* numRegs */
    put_int(attributes, 32, 90);   /* ptxVersion */
    put_int(attributes, 36, 90);   /* binaryVersion */
    return SUCCESS;
}

API status cudaFuncSetAttribute(const void *f, int attribute, int value) {
    return (void)f, (void)attribute, (void)value, SUCCESS;
}

API status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *f, int block, size_t shared,
                                                                  unsigned flags) {
    (void)f, (void)block, (void)shared, (void)flags;
    *n = 8;
    return SUCCESS;
}

static __thread struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} pushed;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
    pushed.grid = grid, pushed.block = block, pushed.shared = shared, pushed.stream = stream;
    return SUCCESS;
}

API status __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared;
    memcpy(stream, &pushed.stream, sizeof pushed.stream);
    return SUCCESS;
}

API void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    (void)binary;
    return &handle;
}

API void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
API void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
API void __cudaRegisterFunction(void **handle) { (void)handle; }
API void __cudaRegisterVar(void **handle) { (void)handle; }
