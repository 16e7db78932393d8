/*
 * driver.c - libcuda.so.1: devices, contexts, streams, events, kernels and functions by name (memory.c has memory).
 * Written from the public documentation of the CUDA driver API; libraries.py adds what else is wanted, unsupported.
 */
#include "books.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct context {
    int device;
} context;

enum { DEPTH = 32, VERSION = CUDART == 13 ? 13000 : 12040 };

static context contexts[DEVICES];
static _Thread_local context *stack[DEPTH]; /* what was current before each push */
static _Thread_local int depth;

static int device_of(const context *c) { return c != NULL ? (int)(c - contexts) : -1; }

static bool is_device(int device) { return device >= 0 && device < standin_devices(); }

/* ------------------------------------------------------------------ devices */

API int cuInit(unsigned flags) {
    (void)flags;
    if (standin_is_lost()) return NOT_INITIALIZED;
    return standin_devices() > 0 ? SUCCESS : NO_DEVICE;
}

API int cuDriverGetVersion(int *version) {
    *version = VERSION;
    return SUCCESS;
}

API int cuDeviceGetCount(int *n) {
    *n = standin_devices();
    return SUCCESS;
}

API int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return is_device(ordinal) ? SUCCESS : INVALID_DEVICE;
}

API int cuDeviceGetName(char *text, int bytes, int device) {
    snprintf(text, (size_t)bytes, "stand-in %d", device);
    return SUCCESS;
}

API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    *bytes = (size_t)standin_capacity();
    return is_device(device) ? SUCCESS : INVALID_DEVICE;
}

API int cuDeviceGetPCIBusId(char *text, int bytes, int device) {
    snprintf(text, (size_t)bytes, "0000:%02X:00.0", 0xe0 + device);
    return SUCCESS;
}

API int cuDeviceGetUuid_v2(char *uuid, int device) {
    memset(uuid, 0, 16);
    uuid[15] = (char)(device + 1);
    return SUCCESS;
}

API int cuDeviceCanAccessPeer(int *can, int from, int to) {
    *can = standin_can_reach(from, to);
    return SUCCESS;
}

API int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = standin_attribute(attribute);
    return is_device(device) ? SUCCESS : INVALID_DEVICE;
}

API int cuGetErrorString(int result, const char **text) {
    *text = result == SUCCESS ? "no error" : result == OUT_OF_MEMORY ? "out of memory" : "refused by the stand-in driver";
    return SUCCESS;
}

API int cuGetErrorName(int result, const char **text) {
    *text = result == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_STAND_IN";
    return SUCCESS;
}

/* ------------------------------------------------------------------ contexts: one a device */

static context *current(void) { return standin_current() >= 0 ? &contexts[standin_current()] : NULL; }

static int make_current(const context *c) {
    standin_set_current(device_of(c));
    return SUCCESS;
}

API int cuDevicePrimaryCtxRetain(context **out, int device) {
    if (!is_device(device)) return INVALID_DEVICE;
    standin_start(device);
    *out = &contexts[device];
    return SUCCESS;
}

API int cuDevicePrimaryCtxRelease_v2(int device) { return is_device(device) ? SUCCESS : INVALID_DEVICE; }

API int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    if (!is_device(device)) return INVALID_DEVICE;
    *flags = 0;
    *active = standin_is_started(device);
    return SUCCESS;
}

API int cuCtxGetCurrent(context **out) {
    *out = current();
    return SUCCESS;
}

API int cuCtxSetCurrent(context *c) { return make_current(c); }

API int cuCtxPushCurrent_v2(context *c) {
    if (c == NULL || depth == DEPTH) return INVALID_VALUE;
    stack[depth++] = current();
    return make_current(c);
}

API int cuCtxPopCurrent_v2(context **out) {
    if (depth == 0) return INVALID_CONTEXT;
    if (out != NULL) *out = current();
    return make_current(stack[--depth]);
}

API int cuCtxGetDevice(int *device) {
    *device = standin_current();
    return *device >= 0 ? SUCCESS : INVALID_CONTEXT;
}

API int cuCtxSynchronize(void) {
    if (standin_current() < 0) return INVALID_CONTEXT;
    return standin_finish_device(standin_current(), "cuCtxSynchronize");
}

API int cuCtxGetLimit(size_t *value) {
    *value = 0;
    return SUCCESS;
}

API int cuCtxSetLimit(void) { return SUCCESS; }

API int cuCtxGetApiVersion(context *c, unsigned *version) {
    (void)c;
    *version = 3020;
    return SUCCESS;
}

API int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}

API int cuThreadExchangeStreamCaptureMode(int *mode) { return standin_exchange_mode(mode); }

/* ------------------------------------------------------------------ memory of the host, copies */

API int cuMemGetInfo_v2(size_t *left, size_t *total) {
    int device = standin_current();
    if (device < 0) return INVALID_CONTEXT;
    *total = (size_t)standin_capacity();
    *left = *total - (size_t)standin_used(device);
    return SUCCESS;
}

API int cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
    (void)flags;
    if (standin_current() < 0) return INVALID_CONTEXT;
    if (posix_memalign(out, 4096, bytes) != 0) return OUT_OF_MEMORY;
    return standin_host_add(*out, bytes, true) ? SUCCESS : OUT_OF_MEMORY;
}

API int cuMemFreeHost(void *memory) { return standin_host_drop(memory) ? SUCCESS : INVALID_VALUE; }

static int copy(void *to, const void *from, size_t bytes, void *stream) {
    if (standin_current() < 0) return INVALID_CONTEXT;
    standin_capture_node(stream);
    return standin_copy(standin_current(), to, from, bytes, stream);
}

API int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
    return copy(to, (const void *)(uintptr_t)from, bytes, stream);
}

API int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
    return copy((void *)(uintptr_t)to, from, bytes, stream);
}

API int cuMemsetD32Async(uint64_t to, unsigned value, size_t words, void *stream) {
    standin_capture_node(stream);
    return standin_set_words(standin_current(), (void *)(uintptr_t)to, value, words, stream);
}

API int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
    standin_capture_node(stream);
    return standin_set(standin_current(), (void *)(uintptr_t)to, value, bytes, stream);
}

API int cuPointerGetAttribute(void *out, int attribute, uint64_t address) {
    enum { DEVICE_POINTER = 3, DEVICE_ORDINAL = 9 };
    int device = standin_device_of((const void *)(uintptr_t)address);
    if (attribute == DEVICE_POINTER) memcpy(out, &address, sizeof address);
    else if (attribute == DEVICE_ORDINAL && device >= 0) memcpy(out, &device, sizeof device);
    else return INVALID_VALUE;
    return SUCCESS;
}

/* ------------------------------------------------------------------ streams and events */

API int cuStreamCreate(void **stream, unsigned flags) {
    (void)flags;
    if (standin_current() < 0) return INVALID_CONTEXT;
    *stream = standin_make_stream(standin_current());
    return SUCCESS;
}

API int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    (void)priority;
    return cuStreamCreate(stream, flags);
}

API int cuStreamDestroy_v2(void *stream) { return standin_end_stream(stream); }
API int cuStreamSynchronize(void *stream) { return standin_finish_stream(stream); }
API int cuStreamQuery(void *stream) { return standin_finish_stream(stream); }

API int cuStreamIsCapturing(void *stream, int *state) {
    *state = standin_capture_state(stream, NULL);
    return standin_is_stream(stream) ? SUCCESS : INVALID_HANDLE;
}

API int cuStreamGetCtx(void *stream, context **out) {
    (void)stream;
    *out = current();
    return SUCCESS;
}

API int cuEventCreate(standin_event **event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof **event);
    if (*event == NULL) return OUT_OF_MEMORY;
    (*event)->stream = -1;
    return SUCCESS;
}

API int cuEventDestroy_v2(standin_event *event) {
    free(event);
    return SUCCESS;
}

API int cuEventRecord(standin_event *event, void *stream) { return standin_record(event, stream); }
API int cuEventQuery(standin_event *event) { return standin_query(event); }
API int cuEventSynchronize(standin_event *event) { return standin_await(event); }

API int cuStreamWaitEvent(void *stream, standin_event *event, unsigned flags) {
    (void)flags;
    return standin_wait(stream, event);
}

API int cuEventElapsedTime(float *ms, const standin_event *from, const standin_event *to) {
    *ms = (float)((double)(to->time_ns - from->time_ns) / 1e6);
    return SUCCESS;
}

/* ------------------------------------------------------------------ kernels: loaded, launched, never run */

static int some_object(void **out) {
    static char object[4096];
    *out = object;
    return SUCCESS;
}

API int cuModuleLoad(void **module) { return some_object(module); }
API int cuModuleLoadData(void **module) { return some_object(module); }
API int cuModuleLoadDataEx(void **module) { return some_object(module); }
API int cuModuleGetFunction(void **function) { return some_object(function); }
API int cuLibraryLoadData(void **library) { return some_object(library); }
API int cuLibraryGetKernel(void **kernel) { return some_object(kernel); }
API int cuKernelGetFunction(void **function) { return some_object(function); }
API int cuModuleUnload(void) { return SUCCESS; }
API int cuLibraryUnload(void) { return SUCCESS; }
API int cuFuncSetAttribute(void) { return SUCCESS; }
API int cuFuncSetCacheConfig(void) { return SUCCESS; }

API int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes) {
    *address = 0;
    if (bytes != NULL) *bytes = 0;
    return SUCCESS;
}

API int cuFuncGetAttribute(int *value, int attribute) {
    enum { MOST_THREADS = 0, REGISTERS = 4 };
    *value = attribute == MOST_THREADS ? 1024 : attribute == REGISTERS ? 32 : 0;
    return SUCCESS;
}

API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks) {
    *blocks = 8;
    return SUCCESS;
}

API int cuOccupancyMaxActiveClusters(int *clusters) {
    *clusters = 8;
    return SUCCESS;
}

API int cuLaunchKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                       void *stream) {
    (void)kernel, (void)x, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)shared;
    standin_capture_node(stream);
    return SUCCESS;
}

API int cuLaunchCooperativeKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                                  unsigned shared, void *stream) {
    return cuLaunchKernel(kernel, x, y, z, bx, by, bz, shared, stream);
}

API int cuLaunchKernelEx(const char *launch) {
    void *stream;
    memcpy(&stream, launch + 32, sizeof stream); /* CUlaunchConfig.hStream */
    standin_capture_node(stream);
    return SUCCESS;
}

API int cuTensorMapEncodeTiled(void *map) {
    memset(map, 0, 128);
    return SUCCESS;
}

/* ------------------------------------------------------------------ functions by name */

API int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status) {
    (void)version, (void)flags;
    *out = standin_symbol(name);
    if (status != NULL) *status = 0;
    return SUCCESS;
}

API int cuGetProcAddress(const char *name, void **out, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, out, version, flags, NULL);
}
