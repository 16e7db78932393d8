/*
 * runtime.c - libcudart.so.12 and .13 (-DCUDART=12|13) on the driver's books. Written from the public documentation of the
 * CUDA runtime API, offsets of structures too; libraries.py adds what else is wanted, unsupported.
 */
#include "books.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int status;

/* ------------------------------------------------------------------ the last error, a thread's own */

static _Thread_local status last;

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

typedef struct word {
    status s;
    const char *name, *text;
} word;

static const word *word_of(status s) {
    static const word words[] = {
        {INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"},
        {OUT_OF_MEMORY, "cudaErrorMemoryAllocation", "out of memory"},
        {NOT_INITIALIZED, "cudaErrorInitializationError", "initialization error"},
        {NO_DEVICE, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
        {INVALID_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
        {INVALID_HANDLE, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
        {PEER_ALREADY_ENABLED, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
        {NOT_SUPPORTED, "cudaErrorNotSupported", "operation not supported"},
        {CAPTURE_UNSUPPORTED, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
        {CAPTURE_INVALIDATED, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
        {CAPTURED_EVENT, "cudaErrorCapturedEvent", "operation not permitted on an event last recorded in a capturing stream"},
        {CAPTURE_WRONG_THREAD, "cudaErrorStreamCaptureWrongThread", "attempt to terminate a thread-local capture sequence from another thread"},
    };
    static const word other = {0, "cudaErrorStandIn", "refused by the stand-in runtime"}, none = {0, "cudaSuccess", "no error"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].s == s) return &words[i];
    }
    return s == SUCCESS ? &none : &other;
}

API const char *cudaGetErrorString(status s) { return word_of(s)->text; }
API const char *cudaGetErrorName(status s) { return word_of(s)->name; }

/* ------------------------------------------------------------------ devices */

static int here(void) { return standin_current() < 0 ? 0 : standin_current(); }

/* The first call that needs a device starts it. */
static status start(void) {
    if (standin_is_lost()) return answer(NOT_INITIALIZED);
    if (standin_devices() == 0) return answer(NO_DEVICE);
    if (standin_current() < 0) standin_set_current(0);
    return SUCCESS;
}

API status cudaGetDeviceCount(int *n) {
    *n = standin_devices();
    return *n > 0 ? SUCCESS : answer(NO_DEVICE);
}

API status cudaGetDevice(int *device) {
    *device = here();
    return SUCCESS;
}

API status cudaSetDevice(int device) {
    if (device < 0 || device >= standin_devices()) return answer(INVALID_DEVICE);
    if (standin_is_lost()) return answer(NOT_INITIALIZED);
    standin_set_current(device);
    return SUCCESS;
}

API status cudaDriverGetVersion(int *version) {
    *version = CUDART == 13 ? 13000 : 12040;
    return SUCCESS;
}

API status cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

static void put_int(void *record, size_t at, int value) { memcpy((char *)record + at, &value, sizeof value); }
static void put_size(void *record, size_t at, size_t value) { memcpy((char *)record + at, &value, sizeof value); }

typedef struct field {
    size_t at;
    int value;
} field;

/* cudaDeviceProp: what both versions have in the same place, and what they have in different ones. */
static const field fields[] = {
    {304, 65536}, /* registers a block */
    {308, 32}, {320, 1024}, {324, 1024}, {328, 1024}, {332, 64}, {336, 2147483647}, {340, 65535}, {344, 65535},
    {360, 9}, /* major */
#if CUDART == 13
    {384, 132}, {560, 1}, {588, 1}, {596, 50 << 20}, {604, 2048}, {624, 233472}, {632, 65536}, {672, 232448},
#else
    {388, 132}, {576, 1}, {604, 1}, {616, 50 << 20}, {624, 2048}, {640, 233472}, {648, 65536}, {688, 1}, {696, 232448},
#endif
};

static status properties(char *p, int device) {
    if (device < 0 || device >= standin_devices()) return answer(INVALID_DEVICE);
    memset(p, 0, CUDART == 13 ? 1008 : 1032);
    snprintf(p, 256, "stand-in %d", device);
    p[271] = (char)(device + 1); /* the last byte of its uuid */
    put_size(p, 288, (size_t)standin_capacity());
    put_size(p, 296, 49152);
    put_size(p, 312, 2147483647);
    put_size(p, 352, 65536);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) put_int(p, fields[i].at, fields[i].value);
    return SUCCESS;
}

API status cudaGetDeviceProperties(char *p, int device) { return properties(p, device); }
API status cudaGetDeviceProperties_v2(char *p, int device) { return properties(p, device); }

API status cudaDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = standin_attribute(attribute);
    return SUCCESS;
}

API status cudaDeviceSynchronize(void) {
    status s = start();
    return s != SUCCESS ? s : answer(standin_finish_device(here(), "cudaDeviceSynchronize"));
}

API status cudaDeviceCanAccessPeer(int *can, int from, int to) {
    *can = standin_can_reach(from, to);
    return SUCCESS;
}

API status cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    (void)flags;
    return answer(standin_enable_peer(here(), peer));
}

API status cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
    snprintf(text, (size_t)bytes, "0000:%02X:00.0", 0xe0 + device);
    return SUCCESS;
}

API status cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}

/* ------------------------------------------------------------------ memory */

API status cudaMalloc(void **out, size_t bytes) {
    status s = start();
    *out = NULL;
    if (s == SUCCESS) s = standin_unsafe("cudaMalloc");
    if (s != SUCCESS || bytes == 0) return answer(s);
    *out = standin_malloc(here(), bytes);
    return *out != NULL ? SUCCESS : answer(OUT_OF_MEMORY);
}

API status cudaFree(void *address) {
    status s = start();
    if (s == SUCCESS && address != NULL) s = standin_unsafe("cudaFree");
    if (s != SUCCESS || address == NULL) return answer(s);
    return standin_free(address) >= 0 ? SUCCESS : answer(INVALID_VALUE);
}

API status cudaMallocAsync(void **out, size_t bytes, void *stream) {
    (void)stream;
    return cudaMalloc(out, bytes);
}

API status cudaFreeAsync(void *address, void *stream) {
    (void)stream;
    return cudaFree(address);
}

API status cudaMemGetInfo(size_t *left, size_t *total) {
    status s = start();
    if (s != SUCCESS) return s;
    *total = (size_t)standin_capacity();
    *left = *total - (size_t)standin_used(here());
    return SUCCESS;
}

API status cudaHostAlloc(void **out, size_t bytes, unsigned flags) {
    (void)flags;
    status s = start();
    if (s != SUCCESS) return s;
    if (posix_memalign(out, 4096, bytes) != 0 || !standin_host_add(*out, bytes, true)) return answer(OUT_OF_MEMORY);
    return SUCCESS;
}

API status cudaFreeHost(void *memory) { return standin_host_drop(memory) ? SUCCESS : answer(INVALID_VALUE); }

API status cudaHostRegister(void *memory, size_t bytes, unsigned flags) {
    (void)flags;
    return standin_host_add(memory, bytes, false) ? SUCCESS : answer(OUT_OF_MEMORY);
}

API status cudaHostUnregister(void *memory) { return standin_host_drop(memory) ? SUCCESS : answer(NOT_REGISTERED); }

API status cudaHostGetDevicePointer(void **out, void *memory, unsigned flags) {
    (void)flags;
    *out = memory;
    return SUCCESS;
}

/* type, device, device pointer, host pointer */
API status cudaPointerGetAttributes(void *attributes, const void *p) {
    enum { UNREGISTERED, HOST, DEVICE };
    int device = standin_device_of(p), type = device >= 0 ? DEVICE : standin_is_host(p) ? HOST : UNREGISTERED;
    memset(attributes, 0, CUDART == 13 ? 88 : 24);
    put_int(attributes, 0, type);
    put_int(attributes, 4, type == DEVICE ? device : type == HOST ? here() : -2);
    if (type != UNREGISTERED) memcpy((char *)attributes + 8, &p, sizeof p);
    if (type == HOST) memcpy((char *)attributes + 16, &p, sizeof p);
    return SUCCESS;
}

API status cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)kind;
    status s = start();
    if (s != SUCCESS || bytes == 0) return s;
    standin_capture_node(stream);
    return answer(standin_copy(here(), to, from, bytes, stream));
}

/* The host waits for it. */
API status cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    status s = cudaMemcpyAsync(to, from, bytes, kind, NULL);
    return s != SUCCESS ? s : answer(standin_finish_stream(NULL));
}

/* Through staging where peers are off: it may touch mapped memory of any device. */
API status cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, void *stream) {
    (void)to_device, (void)from_device;
    standin_capture_node(stream);
    return answer(standin_copy_peer(to, from, bytes, stream));
}

API status cudaMemcpy2DAsync(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height, int kind,
                             void *stream) {
    status s = SUCCESS;
    for (size_t row = 0; row < height && s == SUCCESS; row++) {
        s = cudaMemcpyAsync(to + row * to_pitch, from + row * from_pitch, width, kind, stream);
    }
    return s;
}

API status cudaMemsetAsync(void *p, int value, size_t bytes, void *stream) {
    status s = start();
    if (s != SUCCESS || bytes == 0) return s;
    standin_capture_node(stream);
    return answer(standin_set(here(), p, value, bytes, stream));
}

API status cudaMemset(void *p, int value, size_t bytes) { return cudaMemsetAsync(p, value, bytes, NULL); }

/* ------------------------------------------------------------------ between processes */

typedef struct ipc_handle {
    char bytes[64];
} ipc_handle;

API status cudaIpcGetMemHandle(void *handle, void *p) { return answer(standin_share(p, handle)); }

API status cudaIpcOpenMemHandle(void **out, ipc_handle handle, unsigned flags) {
    (void)flags;
    status s = start();
    return s != SUCCESS ? s : answer(standin_open_shared(out, handle.bytes));
}

API status cudaIpcCloseMemHandle(void *p) { return answer(standin_close_shared(p)); }

/* What the event stands for is done already: another process has nothing to wait for. */
API status cudaIpcGetEventHandle(void *handle, void *event) {
    (void)event;
    memset(handle, 0, sizeof(ipc_handle));
    return SUCCESS;
}

static status make_event(standin_event **out) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return answer(OUT_OF_MEMORY);
    (*out)->stream = -1;
    return SUCCESS;
}

API status cudaIpcOpenEventHandle(standin_event **event, ipc_handle handle) {
    (void)handle;
    return make_event(event);
}

/* ------------------------------------------------------------------ the runtime's own pools: there, and empty */

static status zero(void *value) {
    memset(value, 0, 8);
    return SUCCESS;
}

API status cudaDeviceGetDefaultMemPool(void **pool, int device) {
    *pool = (void *)(uintptr_t)(device + 1);
    return SUCCESS;
}

API status cudaMemPoolGetAttribute(void *pool, int attribute, void *value) { return (void)pool, (void)attribute, zero(value); }
API status cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value) { return (void)device, (void)attribute, zero(value); }
API status cudaDeviceSetGraphMemAttribute(void) { return SUCCESS; }
API status cudaMemPoolSetAttribute(void) { return SUCCESS; }
API status cudaMemPoolSetAccess(void) { return SUCCESS; }
API status cudaMemPoolTrimTo(void) { return SUCCESS; }

/* ------------------------------------------------------------------ streams and events */

API status cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    (void)flags, (void)priority;
    status s = start();
    if (s == SUCCESS) *stream = standin_make_stream(here());
    return s;
}

API status cudaStreamCreateWithFlags(void **stream, unsigned flags) { return cudaStreamCreateWithPriority(stream, flags, 0); }
API status cudaStreamCreate(void **stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
API status cudaStreamDestroy(void *stream) { return answer(standin_end_stream(stream)); }
API status cudaStreamQuery(void *stream) { return answer(standin_finish_stream(stream)); }

API status cudaStreamSynchronize(void *stream) {
    status s = standin_unsafe("waiting for a stream");
    return answer(s != SUCCESS ? s : standin_finish_stream(stream));
}

API status cudaStreamGetPriority(void *stream, int *priority) {
    *priority = 0;
    return standin_is_stream(stream) ? SUCCESS : answer(INVALID_HANDLE);
}

API status cudaStreamAddCallback(void *stream, void (*call)(void *, int, void *), void *data, unsigned flags) {
    (void)flags;
    call(stream, SUCCESS, data);
    return SUCCESS;
}

API status cudaLaunchHostFunc(void *stream, void (*call)(void *), void *data) {
    if (standin_capture_state(stream, NULL) != 0) standin_capture_node(stream);
    else call(data);
    return SUCCESS;
}

API status cudaStreamWaitEvent(void *stream, standin_event *event, unsigned flags) {
    (void)flags;
    return answer(standin_wait(stream, event));
}

API status cudaEventCreateWithFlags(standin_event **event, unsigned flags) {
    (void)flags;
    status s = start();
    return s != SUCCESS ? s : make_event(event);
}

API status cudaEventCreate(standin_event **event) { return cudaEventCreateWithFlags(event, 0); }

API status cudaEventDestroy(standin_event *event) {
    free(event);
    return SUCCESS;
}

API status cudaEventRecord(standin_event *event, void *stream) { return answer(standin_record(event, stream)); }

API status cudaEventRecordWithFlags(standin_event *event, void *stream, unsigned flags) {
    (void)flags;
    return cudaEventRecord(event, stream);
}

API status cudaEventQuery(standin_event *event) { return answer(standin_query(event)); }
API status cudaEventSynchronize(standin_event *event) { return answer(standin_await(event)); }

API status cudaEventElapsedTime(float *ms, const standin_event *from, const standin_event *to) {
    *ms = (float)((double)(to->time_ns - from->time_ns) / 1e6);
    return SUCCESS;
}

/* ------------------------------------------------------------------ captures and graphs */

typedef struct graph {
    uint64_t nodes;
} graph;

API status cudaThreadExchangeStreamCaptureMode(int *mode) { return answer(standin_exchange_mode(mode)); }
API status cudaStreamBeginCapture(void *stream, int mode) { return answer(standin_capture_begin(stream, here(), mode)); }

API status cudaStreamIsCapturing(void *stream, int *state) {
    *state = standin_capture_state(stream, NULL);
    return SUCCESS;
}

API status cudaStreamEndCapture(void *stream, graph **out) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return answer(OUT_OF_MEMORY);
    status s = standin_capture_end(stream, &(*out)->nodes);
    if (s == SUCCESS) return s;
    free(*out);
    *out = NULL;
    return answer(s);
}

static status capture_info(void *stream, int *state, uint64_t *id, void **captured, const void **nodes, size_t *n) {
    static char some_graph[64];
    uint64_t found = 0;
    *state = standin_capture_state(stream, &found);
    if (id != NULL) *id = found;
    if (captured != NULL) *captured = some_graph;
    if (nodes != NULL) *nodes = NULL;
    if (n != NULL) *n = 0;
    return SUCCESS;
}

API status cudaStreamGetCaptureInfo_v2(void *stream, int *state, uint64_t *id, void **captured, const void **nodes, size_t *n) {
    return capture_info(stream, state, id, captured, nodes, n);
}

#if CUDART == 13
API status cudaStreamGetCaptureInfo(void *stream, int *state, uint64_t *id, void **captured, const void **nodes, const void **edges,
                                    size_t *n) {
    if (edges != NULL) *edges = NULL;
    return capture_info(stream, state, id, captured, nodes, n);
}
#else
API status cudaStreamGetCaptureInfo(void *stream, int *state, uint64_t *id) { return capture_info(stream, state, id, NULL, NULL, NULL); }
#endif

API status cudaStreamUpdateCaptureDependencies(void) { return SUCCESS; }

API status cudaGraphGetNodes(graph *g, void **nodes, size_t *n) {
    if (nodes == NULL) *n = (size_t)g->nodes;
    for (size_t i = 0; nodes != NULL && i < *n; i++) nodes[i] = g;
    return SUCCESS;
}

API status cudaGraphInstantiate(graph **out, const graph *g) {
    *out = malloc(sizeof **out);
    if (*out == NULL) return answer(OUT_OF_MEMORY);
    **out = *g;
    return SUCCESS;
}

API status cudaGraphInstantiateWithFlags(graph **out, const graph *g) { return cudaGraphInstantiate(out, g); }
API status cudaGraphLaunch(void) { return SUCCESS; }
API status cudaGraphDebugDotPrint(void) { return SUCCESS; }
API status cudaGraphRetainUserObject(void) { return SUCCESS; }
API status cudaUserObjectRelease(void) { return SUCCESS; }

API status cudaGraphDestroy(graph *g) {
    free(g);
    return SUCCESS;
}

API status cudaGraphExecDestroy(graph *g) { return cudaGraphDestroy(g); }

static status some_object(void **out) {
    static char object[65536];
    *out = object;
    return SUCCESS;
}

API status cudaUserObjectCreate(void **object) { return some_object(object); }

/* ------------------------------------------------------------------ kernels: registered, launched, never run */

#define LONGEST_WAIT_NS INT64_C(5000000000)

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

/* The one kernel that does something: it waits, for as many cycles as it is told, of which a nanosecond has one. */
static const void *waiter;

API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name) {
    (void)handle, (void)device;
    if (strstr(name, "spin_kernel") != NULL) waiter = host;
}

API status cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream) {
    (void)grid, (void)block, (void)shared;
    status s = start();
    if (s != SUCCESS) return s;
    standin_capture_node(stream);
    if (kernel == waiter && waiter != NULL && standin_capture_state(stream, NULL) == 0) {
        int64_t cycles;
        memcpy(&cycles, arguments[0], sizeof cycles);
        standin_busy(stream, cycles > 0 && cycles < LONGEST_WAIT_NS ? cycles : 0);
    }
    return SUCCESS;
}

API status cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

API status __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

API status cudaLaunchKernelExC(const char *launch, const void *kernel, void **arguments) {
    void *stream;
    memcpy(&stream, launch + 32, sizeof stream); /* cudaLaunchConfig_t.stream */
    return cudaLaunchKernel(kernel, (dim3){0, 0, 0}, (dim3){0, 0, 0}, arguments, 0, stream);
}

API status cudaFuncGetAttributes(void *attributes) {
    memset(attributes, 0, 80);
    put_int(attributes, 24, 1024); /* threads a block */
    put_int(attributes, 28, 32);   /* registers */
    put_int(attributes, 32, 90);   /* versions of PTX and binary */
    put_int(attributes, 36, 90);
    return SUCCESS;
}

API status cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks) {
    *blocks = 8;
    return SUCCESS;
}

API status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks);
}

API status cudaFuncSetAttribute(void) { return SUCCESS; }
API status cudaMemcpyToSymbol(void) { return SUCCESS; }
API status cudaLibraryUnload(void) { return SUCCESS; }
API status cudaKernelSetAttributeForDevice(void) { return SUCCESS; }
API status cudaProfilerStart(void) { return SUCCESS; }
API status cudaProfilerStop(void) { return SUCCESS; }
API status cudaGetSymbolAddress(void **address) { return some_object(address); }
API status cudaLibraryLoadData(void **library) { return some_object(library); }
API status cudaLibraryGetKernel(void **kernel) { return some_object(kernel); }

API status __cudaGetKernel(const void **kernel, const void *function) {
    *kernel = function;
    return SUCCESS;
}

static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} pushed;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = stream;
    return SUCCESS;
}

API status __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    memcpy(stream, &pushed.stream, sizeof pushed.stream);
    return SUCCESS;
}

API void **__cudaRegisterFatBinary(void) {
    static void *handle;
    return &handle;
}

API char __cudaInitModule(void) { return 1; }
API void __cudaRegisterFatBinaryEnd(void) {}
API void __cudaUnregisterFatBinary(void) {}
API void __cudaRegisterVar(void) {}

/* ------------------------------------------------------------------ the driver's functions by name */

API status cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version, unsigned long long flags, int *found) {
    (void)version, (void)flags;
    *out = standin_symbol(name);
    if (found != NULL) *found = 0;
    return SUCCESS;
}

API status cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags, int *found) {
    return cudaGetDriverEntryPointByVersion(name, out, 0, flags, found);
}
