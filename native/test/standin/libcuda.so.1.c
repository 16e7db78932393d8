/*
 * libcuda.so.1.c - stands in for NVIDIA's libcuda.so.1: the calls that the agent makes, with the documented signatures and
 * error codes, and their rules checked (gpu.h). Written from the public documentation of the CUDA driver API.
 */
#include "gpu.h"

#include <string.h>
#include <sys/mman.h>

#define API __attribute__((visibility("default")))

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef struct context *CUcontext;
typedef void *CUstream;
typedef void *CUevent;

enum {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_READY = 600, NOT_SUPPORTED = 801
};

typedef struct {
    int type;
    int id;
} CUmemLocation;

typedef struct {
    int type;
    int requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;

typedef struct {
    CUmemLocation location;
    int flags;
} CUmemAccessDesc;

struct context {
    int device;
};

static struct context contexts[DEVICES];
static _Thread_local CUcontext stack[16];
static _Thread_local int depth;
static bool initialized;

static CUcontext current(void) { return depth > 0 ? stack[depth - 1] : NULL; }

static int device_of(CUcontext c) { return (int)(c - contexts); }

const standin_facts control_facts = {"cuda", "GPU 0", "cuEventRecord", "cuStreamWaitEvent", 999};

const char *const *control_names(void) {
    static const char *const names[] = {
        "cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain",
        "cuDevicePrimaryCtxRelease", "cuCtxGetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSynchronize",
        "cuMemGetInfo", "cuMemGetAllocationGranularity", "cuMemAddressReserve", "cuMemAddressFree", "cuMemCreate",
        "cuMemRelease", "cuMemMap", "cuMemUnmap", "cuMemSetAccess", "cuEventCreate", "cuEventDestroy", "cuEventRecord",
        "cuEventQuery", "cuEventSynchronize", "cuStreamWaitEvent", "cuStreamIsCapturing",
        "cuThreadExchangeStreamCaptureMode", "cuMemHostAlloc", "cuStreamCreate", "cuMemcpyDtoHAsync",
        "cuMemcpyHtoDAsync", "cuMemExportToShareableHandle", NULL};
    return names;
}

#define CALL(name) CALL_OF(CUresult, "cuInit", NOT_INITIALIZED, name)

#define NEEDS_CONTEXT() \
    if (current() == NULL || gpu.contexts[device_of(current())] == 0) REFUSE(INVALID_CONTEXT)

API CUresult cuInit(unsigned flags) {
    CALL("cuInit")
    if (flags != 0) REFUSE(INVALID_VALUE);
    if (gpu.devices == 0) REFUSE(NO_DEVICE);
    initialized = true;
    END_CALL
}

API CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error == OUT_OF_MEMORY ? "out of memory" : error == NOT_SUPPORTED ? "operation not supported" : "stand-in error";
    return SUCCESS;
}

/* ------------------------------------------------------------------ devices and contexts */

API CUresult cuDeviceGetCount(int *count) {
    CALL("cuDeviceGetCount")
    *count = (int)gpu.devices;
    END_CALL
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    CALL("cuDeviceGet")
    if (ordinal < 0 || ordinal >= (int)gpu.devices) REFUSE(INVALID_DEVICE);
    *device = ordinal;
    END_CALL
}

API CUresult cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device) {
    CALL("cuDeviceGetPCIBusId")
    snprintf(text, (size_t)bytes, "0000:%02X:00.0", 0xe0 + device);
    END_CALL
}

API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    CALL("cuDeviceGetAttribute")
    if (device < 0 || device >= (int)gpu.devices) REFUSE(INVALID_DEVICE);
    if (attribute == 102) *value = gpu.mapping_supported;
    else if (attribute == 103 || attribute == 110) *value = 1;
    else REFUSE(INVALID_VALUE);
    END_CALL
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CALL("cuDevicePrimaryCtxRetain")
    if (device < 0 || device >= (int)gpu.devices) REFUSE(INVALID_DEVICE);
    gpu.contexts[device]++;
    *context = &contexts[device];
    END_CALL
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    CALL("cuDevicePrimaryCtxRelease")
    if (gpu.contexts[device] == 0) {
        problem("a context was released that nobody holds");
        REFUSE(INVALID_CONTEXT);
    }
    gpu.contexts[device]--;
    goto done;
done:
    if (result != SUCCESS && gpu.contexts[device] > 0) gpu.contexts[device]--; /* asked to fail: no leak of the caller's */
    unlock_gpu();
    return result;
}

API CUresult cuCtxGetCurrent(CUcontext *context) {
    CALL("cuCtxGetCurrent")
    *context = current();
    END_CALL
}

API CUresult cuCtxPushCurrent_v2(CUcontext context) {
    CALL("cuCtxPushCurrent")
    if (context < contexts || context >= contexts + DEVICES || gpu.contexts[device_of(context)] == 0) REFUSE(INVALID_CONTEXT);
    if (depth == 16) {
        problem("contexts are pushed and never popped");
        REFUSE(INVALID_VALUE);
    }
    stack[depth++] = context;
    END_CALL
}

API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    CALL("cuCtxPopCurrent")
    if (depth == 0) {
        problem("a context was popped that nobody pushed");
        REFUSE(INVALID_CONTEXT);
    }
    *context = stack[--depth];
    goto done;
done:
    if (result != SUCCESS && depth > 0) depth--; /* a failure that leaves the stack as it is would be the driver's fault */
    unlock_gpu();
    return result;
}

API CUresult cuCtxSynchronize(void) {
    CALL("cuCtxSynchronize")
    NEEDS_CONTEXT();
    synchronize_device(device_of(current()));
    END_CALL
}

API CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    static _Thread_local int of_thread;
    CALL("cuThreadExchangeStreamCaptureMode")
    if (*mode < 0 || *mode > 2) REFUSE(INVALID_VALUE);
    int former = of_thread;
    of_thread = *mode;
    *mode = former;
    END_CALL
}

/* ------------------------------------------------------------------ memory */

static bool is_sound(const CUmemAllocationProp *p) {
    return p->type == 1 && (p->requestedHandleTypes & ~1) == 0 && p->location.type == 1 && p->location.id >= 0 &&
           p->location.id < (int)gpu.devices && p->win32HandleMetaData == NULL && p->allocFlags.compressionType == 0 &&
           p->allocFlags.usage == 0;
}

API CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    CALL("cuMemGetInfo")
    NEEDS_CONTEXT();
    int device = device_of(current());
    uint64_t taken = gpu.created[device] + gpu.outside[device];
    *total = gpu.capacity[device];
    *free_bytes = taken < *total ? *total - taken : 0;
    END_CALL
}

API CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop, int option) {
    CALL("cuMemGetAllocationGranularity")
    if (!is_sound(prop) || option < 0 || option > 1) REFUSE(INVALID_VALUE);
    *bytes = gpu.granularity;
    END_CALL
}

API CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                                 unsigned long long flags) {
    CALL("cuMemAddressReserve")
    if (bytes == 0 || !is_aligned(bytes) || alignment % GRANULE != 0 || wish != 0 || flags != 0) REFUSE(INVALID_VALUE);
    *address = reserve_addresses(bytes);
    if (*address == 0) result = OUT_OF_MEMORY;
    END_CALL
}

API CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
    CALL("cuMemAddressFree")
    if (!free_addresses(address, bytes)) result = INVALID_VALUE;
    goto done;
done:
    if (result != SUCCESS && reservation_of(address, 1) != NULL) reservation_of(address, 1)->excused = true;
    unlock_gpu();
    return result;
}

API CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                         unsigned long long flags) {
    CALL("cuMemCreate")
    if (bytes == 0 || bytes % gpu.granularity != 0 || !is_sound(prop) || flags != 0) {
        problem("cuMemCreate of %zu bytes has invalid arguments", bytes);
        REFUSE(INVALID_VALUE);
    }
    *handle = create_memory(prop->location.id, bytes);
    if (*handle == 0) result = OUT_OF_MEMORY;
    END_CALL
}

/* The descriptor is of an empty file: nobody opens what it stands for here. */
API CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle, int type, unsigned long long flags) {
    CALL("cuMemExportToShareableHandle")
    if (memory_of(handle) == NULL || type != 1 || flags != 0) REFUSE(INVALID_VALUE);
    int descriptor = memfd_create("stand-in memory", MFD_CLOEXEC);
    if (descriptor < 0) REFUSE(OUT_OF_MEMORY);
    memcpy(out, &descriptor, sizeof descriptor);
    END_CALL
}

API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    CALL("cuMemRelease")
    memory *m = memory_of(handle);
    if (m == NULL || m->released) {
        problem("cuMemRelease of what is no handle");
        REFUSE(INVALID_VALUE);
    }
    m->released = true;
    bury_memory(m);
    goto done;
done:
    if (result != SUCCESS && memory_of(handle) != NULL) memory_of(handle)->excused = true;
    unlock_gpu();
    return result;
}

API CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                      unsigned long long flags) {
    CALL("cuMemMap")
    memory *m = memory_of(handle);
    if (m == NULL || offset != 0 || flags != 0) {
        problem("cuMemMap has invalid arguments");
        REFUSE(INVALID_VALUE);
    }
    if (!map_memory(address, bytes, m, false)) result = INVALID_VALUE;
    END_CALL
}

API CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
    CALL("cuMemUnmap")
    if (bytes == 0 || !unmap_memory(address, bytes)) result = INVALID_VALUE;
    END_CALL
}

API CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count) {
    CALL("cuMemSetAccess")
    if (count != 1 || access->flags != 3 || access->location.type != 1 || access->location.id < 0 ||
        access->location.id >= (int)gpu.devices) {
        problem("cuMemSetAccess has invalid arguments");
        REFUSE(INVALID_VALUE);
    }
    if (!grant_access(address, bytes)) result = INVALID_VALUE;
    END_CALL
}

/* ------------------------------------------------------------------ events and streams */

API CUresult cuEventCreate(CUevent *made, unsigned flags) {
    CALL("cuEventCreate")
    NEEDS_CONTEXT();
    if (flags > 7) REFUSE(INVALID_VALUE);
    *made = (CUevent)(uintptr_t)create_event(device_of(current()));
    END_CALL
}

API CUresult cuEventDestroy_v2(CUevent handle) {
    CALL("cuEventDestroy")
    event *e = event_of((uintptr_t)handle);
    if (e == NULL) REFUSE(INVALID_HANDLE);
    e->open = false;
    goto done;
done:
    if (result != SUCCESS) {
        event *left = event_of((uintptr_t)handle);
        if (left != NULL) left->excused = true;
    }
    unlock_gpu();
    return result;
}

API CUresult cuEventRecord(CUevent handle, CUstream on) {
    CALL("cuEventRecord")
    NEEDS_CONTEXT();
    event *e = event_of((uintptr_t)handle);
    stream *s = stream_of(device_of(current()), (uintptr_t)on);
    if (e == NULL || s == NULL) REFUSE(INVALID_HANDLE);
    record_event(e, s);
    END_CALL
}

API CUresult cuEventQuery(CUevent handle) {
    CALL("cuEventQuery")
    event *e = event_of((uintptr_t)handle);
    if (e == NULL) REFUSE(INVALID_HANDLE);
    if (!event_is_done(e)) result = NOT_READY;
    END_CALL
}

API CUresult cuEventSynchronize(CUevent handle) {
    CALL("cuEventSynchronize")
    event *e = event_of((uintptr_t)handle);
    if (e == NULL) REFUSE(INVALID_HANDLE);
    synchronize_event(e);
    END_CALL
}

API CUresult cuStreamWaitEvent(CUstream waiting, CUevent handle, unsigned flags) {
    CALL("cuStreamWaitEvent")
    NEEDS_CONTEXT();
    event *e = event_of((uintptr_t)handle);
    stream *s = stream_of(device_of(current()), (uintptr_t)waiting);
    if (e == NULL || s == NULL || flags != 0) REFUSE(INVALID_HANDLE);
    wait_for_event(s, e);
    END_CALL
}

API CUresult cuStreamIsCapturing(CUstream handle, int *status) {
    CALL("cuStreamIsCapturing")
    NEEDS_CONTEXT();
    stream *s = stream_of(device_of(current()), (uintptr_t)handle);
    if (s == NULL) REFUSE(INVALID_HANDLE);
    *status = s->capturing;
    END_CALL
}

/* ------------------------------------------------------------------ what tests of a real device call; needs memory */

API CUresult cuCtxSetCurrent(CUcontext context) {
    CALL("cuCtxSetCurrent")
    depth = 1;
    stack[0] = context;
    END_CALL
}

API CUresult cuStreamCreate(CUstream *made, unsigned flags) {
    CALL("cuStreamCreate")
    NEEDS_CONTEXT();
    if (flags > 1) REFUSE(INVALID_VALUE);
    *made = (CUstream)(uintptr_t)make_stream(device_of(current()));
    stream_of(device_of(current()), (uintptr_t)*made)->counted = true;
    END_CALL
}

API CUresult cuStreamDestroy_v2(CUstream handle) {
    CALL("cuStreamDestroy")
    NEEDS_CONTEXT();
    stream *s = stream_of(device_of(current()), (uintptr_t)handle);
    if (s == NULL) REFUSE(INVALID_HANDLE);
    close_stream(s);
    END_CALL
}

API CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    CALL("cuMemHostAlloc")
    NEEDS_CONTEXT();
    if (bytes == 0 || flags > 7) REFUSE(INVALID_VALUE);
    *memory = take_host(bytes);
    END_CALL
}

API CUresult cuMemFreeHost(void *memory) {
    CALL("cuMemFreeHost")
    NEEDS_CONTEXT();
    give_host(memory);
    END_CALL
}

static CUresult copy(CUdeviceptr address, void *host, size_t bytes, CUstream handle, bool out) {
    stream *s = stream_of(device_of(current()), (uintptr_t)handle);
    if (s == NULL) return INVALID_HANDLE;
    if (bytes == 0) return INVALID_VALUE;
    give_copy(s, address, bytes, host, out);
    return SUCCESS;
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr address, size_t bytes, CUstream handle) {
    CALL("cuMemcpyDtoHAsync")
    NEEDS_CONTEXT();
    result = copy(address, to, bytes, handle, true);
    END_CALL
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr address, const void *from, size_t bytes, CUstream handle) {
    CALL("cuMemcpyHtoDAsync")
    NEEDS_CONTEXT();
    result = copy(address, (void *)(uintptr_t)from, bytes, handle, false);
    END_CALL
}

API CUresult cuStreamSynchronize(CUstream handle) {
    CALL("cuStreamSynchronize")
    NEEDS_CONTEXT();
    stream *s = stream_of(device_of(current()), (uintptr_t)handle);
    if (s == NULL) REFUSE(INVALID_HANDLE);
    run_until(s, s->given);
    END_CALL
}

API CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t bytes, CUstream handle) {
    CALL("cuMemsetD8Async")
    NEEDS_CONTEXT();
    if (gpu.file < 0) REFUSE(NOT_SUPPORTED);
    stream *s = stream_of(device_of(current()), (uintptr_t)handle);
    if (s == NULL) REFUSE(INVALID_HANDLE);
    give_use(s, address, bytes, value);
    END_CALL
}

API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr address, size_t bytes) {
    CALL("cuMemcpyDtoH")
    if (gpu.file < 0) REFUSE(NOT_SUPPORTED);
    memcpy(to, (const void *)(uintptr_t)address, bytes);
    END_CALL
}
