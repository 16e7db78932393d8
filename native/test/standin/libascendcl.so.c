/*
 * libascendcl.so.c - stands in for Huawei's libascendcl.so: the calls that the agent makes, with the documented signatures
 * and error codes, and their rules checked (gpu.h). Written from the public documentation of CANN's AscendCL.
 */
#include "gpu.h"

#define API __attribute__((visibility("default")))

typedef int aclError;
typedef void *aclrtContext;
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtDrvMemHandle;

enum {
    SUCCESS = 0, INVALID_PARAM = 100000, UNINITIALIZE = 100001, REPEAT_INITIALIZE = 100002, RT_PARAM_INVALID = 107000,
    RT_CONTEXT_NULL = 107002, RT_MEMORY_ALLOCATION = 207001
};

typedef struct {
    int handleType, allocationType, memAttr;
    struct {
        uint32_t id;
        int type;
    } location;
    uint64_t reserve;
} aclrtPhysicalMemProp;

static char contexts[DEVICES];
static _Thread_local char *current;
static bool initialized;

static int device_of(aclrtContext c) { return (int)((char *)c - contexts); }

const standin_facts control_facts = {"ascend", "NPU 0", "aclrtRecordEvent", "aclrtStreamWaitEvent", 507000};

const char *const *control_names(void) {
    static const char *const names[] = {
        "aclInit", "aclrtGetDeviceCount", "aclrtSetDevice", "aclrtGetCurrentContext", "aclrtSetCurrentContext",
        "aclrtSynchronizeDevice", "aclrtGetMemInfo", "aclrtMemGetAllocationGranularity", "aclrtReserveMemAddress",
        "aclrtReleaseMemAddress", "aclrtMallocPhysical", "aclrtFreePhysical", "aclrtMapMem", "aclrtUnmapMem",
        "aclrtCreateEventExWithFlag", "aclrtDestroyEvent", "aclrtRecordEvent", "aclrtQueryEventStatus",
        "aclrtSynchronizeEvent", "aclrtStreamWaitEvent", "aclmdlRICaptureGetInfo",
        "aclrtMallocHost", "aclrtCreateStream", "aclrtMemcpyAsync", NULL};
    return names;
}

#define CALL(name) CALL_OF(aclError, "aclInit", UNINITIALIZE, name)

#define NEEDS_CONTEXT() \
    if (current == NULL) REFUSE(RT_CONTEXT_NULL)

API aclError aclInit(const char *config) {
    CALL("aclInit")
    if (config != NULL) REFUSE(INVALID_PARAM);
    if (initialized) REFUSE(REPEAT_INITIALIZE);
    initialized = true;
    END_CALL
}

/* ------------------------------------------------------------------ devices and contexts */

API aclError aclrtGetDeviceCount(uint32_t *count) {
    CALL("aclrtGetDeviceCount")
    *count = gpu.devices;
    END_CALL
}

API aclError aclrtSetDevice(int32_t device) {
    CALL("aclrtSetDevice")
    if (device < 0 || device >= (int32_t)gpu.devices) REFUSE(RT_PARAM_INVALID);
    current = &contexts[device];
    END_CALL
}

API aclError aclrtGetCurrentContext(aclrtContext *context) {
    CALL("aclrtGetCurrentContext")
    NEEDS_CONTEXT();
    *context = current;
    END_CALL
}

API aclError aclrtSetCurrentContext(aclrtContext context) {
    CALL("aclrtSetCurrentContext")
    if ((char *)context < contexts || (char *)context >= contexts + gpu.devices) REFUSE(RT_PARAM_INVALID);
    current = context;
    END_CALL
}

API aclError aclrtSynchronizeDevice(void) {
    CALL("aclrtSynchronizeDevice")
    NEEDS_CONTEXT();
    synchronize_device(device_of(current));
    END_CALL
}

/* ------------------------------------------------------------------ memory */

static bool is_sound(const aclrtPhysicalMemProp *p) {
    return p->handleType == 0 && p->allocationType == 0 && p->memAttr == 4 && p->location.type == 1 &&
           p->location.id < gpu.devices && p->reserve == 0;
}

API aclError aclrtGetMemInfo(int attribute, size_t *free_bytes, size_t *total) {
    CALL("aclrtGetMemInfo")
    NEEDS_CONTEXT();
    if (attribute != 1) REFUSE(RT_PARAM_INVALID);
    int device = device_of(current);
    uint64_t taken = gpu.created[device] + gpu.outside[device];
    *total = gpu.capacity[device];
    *free_bytes = taken < *total ? *total - taken : 0;
    END_CALL
}

API aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, int option, size_t *bytes) {
    CALL("aclrtMemGetAllocationGranularity")
    if (!is_sound(prop) || option < 0 || option > 1) REFUSE(RT_PARAM_INVALID);
    *bytes = gpu.granularity;
    END_CALL
}

API aclError aclrtReserveMemAddress(void **address, size_t bytes, size_t alignment, void *wish, uint64_t flags) {
    CALL("aclrtReserveMemAddress")
    if (bytes == 0 || !is_aligned(bytes) || alignment != 0 || wish != NULL || flags > 1) REFUSE(RT_PARAM_INVALID);
    *address = (void *)(uintptr_t)reserve_addresses(bytes);
    if (*address == NULL) result = RT_MEMORY_ALLOCATION;
    END_CALL
}

API aclError aclrtReleaseMemAddress(void *address) {
    CALL("aclrtReleaseMemAddress")
    if (!free_addresses((uintptr_t)address, 0)) result = RT_PARAM_INVALID;
    goto done;
done:
    if (result != SUCCESS && reservation_of((uintptr_t)address, 1) != NULL) {
        reservation_of((uintptr_t)address, 1)->excused = true;
    }
    unlock_gpu();
    return result;
}

API aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t bytes, const aclrtPhysicalMemProp *prop, uint64_t flags) {
    CALL("aclrtMallocPhysical")
    if (bytes == 0 || bytes % gpu.granularity != 0 || !is_sound(prop) || flags != 0) {
        problem("aclrtMallocPhysical of %zu bytes has invalid arguments", bytes);
        REFUSE(RT_PARAM_INVALID);
    }
    *handle = (void *)(uintptr_t)create_memory((int)prop->location.id, bytes);
    if (*handle == NULL) result = RT_MEMORY_ALLOCATION;
    END_CALL
}

API aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
    CALL("aclrtFreePhysical")
    memory *m = memory_of((uintptr_t)handle);
    if (m == NULL || m->released || m->mappings > 0) {
        problem(m != NULL && m->mappings > 0 ? "aclrtFreePhysical of mapped memory" : "aclrtFreePhysical of what is no handle");
        REFUSE(RT_PARAM_INVALID);
    }
    m->released = true;
    bury_memory(m);
    goto done;
done:
    if (result != SUCCESS && memory_of((uintptr_t)handle) != NULL) memory_of((uintptr_t)handle)->excused = true;
    unlock_gpu();
    return result;
}

API aclError aclrtMapMem(void *address, size_t bytes, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
    CALL("aclrtMapMem")
    memory *m = memory_of((uintptr_t)handle);
    if (m == NULL || offset != 0 || flags != 0) {
        problem("aclrtMapMem has invalid arguments");
        REFUSE(RT_PARAM_INVALID);
    }
    if (!map_memory((uintptr_t)address, bytes, m, true)) result = RT_PARAM_INVALID;
    END_CALL
}

API aclError aclrtUnmapMem(void *address) {
    CALL("aclrtUnmapMem")
    if (!unmap_memory((uintptr_t)address, 0)) result = RT_PARAM_INVALID;
    END_CALL
}

/* ------------------------------------------------------------------ events and streams */

static aclError make_event(aclrtEvent *made, uint32_t flags) {
    if (flags == 0 || (flags & ~UINT32_C(0xf)) != 0) return RT_PARAM_INVALID;
    *made = (aclrtEvent)(uintptr_t)create_event(device_of(current));
    return SUCCESS;
}

API aclError aclrtCreateEventExWithFlag(aclrtEvent *made, uint32_t flags) {
    CALL("aclrtCreateEventExWithFlag")
    NEEDS_CONTEXT();
    result = make_event(made, flags);
    END_CALL
}

API aclError aclrtCreateEventWithFlag(aclrtEvent *made, uint32_t flags) {
    CALL("aclrtCreateEventWithFlag")
    NEEDS_CONTEXT();
    result = make_event(made, flags);
    END_CALL
}

API aclError aclrtDestroyEvent(aclrtEvent handle) {
    CALL("aclrtDestroyEvent")
    event *e = event_of((uintptr_t)handle);
    if (e == NULL) REFUSE(RT_PARAM_INVALID);
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

API aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream on) {
    CALL("aclrtRecordEvent")
    NEEDS_CONTEXT();
    event *e = event_of((uintptr_t)handle);
    stream *s = stream_of(device_of(current), (uintptr_t)on);
    if (e == NULL || s == NULL) REFUSE(RT_PARAM_INVALID);
    record_event(e, s);
    END_CALL
}

API aclError aclrtQueryEventStatus(aclrtEvent handle, int *status) {
    CALL("aclrtQueryEventStatus")
    event *e = event_of((uintptr_t)handle);
    if (e == NULL) REFUSE(RT_PARAM_INVALID);
    *status = event_is_done(e);
    END_CALL
}

API aclError aclrtSynchronizeEvent(aclrtEvent handle) {
    CALL("aclrtSynchronizeEvent")
    event *e = event_of((uintptr_t)handle);
    if (e == NULL) REFUSE(RT_PARAM_INVALID);
    synchronize_event(e);
    END_CALL
}

API aclError aclrtCreateStream(aclrtStream *made) {
    CALL("aclrtCreateStream")
    NEEDS_CONTEXT();
    *made = (aclrtStream)(uintptr_t)make_stream(device_of(current));
    stream_of(device_of(current), (uintptr_t)*made)->counted = true;
    END_CALL
}

API aclError aclrtDestroyStream(aclrtStream handle) {
    CALL("aclrtDestroyStream")
    NEEDS_CONTEXT();
    stream *s = stream_of(device_of(current), (uintptr_t)handle);
    if (s == NULL) REFUSE(RT_PARAM_INVALID);
    close_stream(s);
    END_CALL
}

API aclError aclrtMallocHost(void **memory, size_t bytes) {
    CALL("aclrtMallocHost")
    NEEDS_CONTEXT();
    if (bytes == 0) REFUSE(RT_PARAM_INVALID);
    *memory = take_host(bytes);
    END_CALL
}

API aclError aclrtFreeHost(void *memory) {
    CALL("aclrtFreeHost")
    NEEDS_CONTEXT();
    give_host(memory);
    END_CALL
}

API aclError aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t bytes, int kind, aclrtStream handle) {
    CALL("aclrtMemcpyAsync")
    NEEDS_CONTEXT();
    stream *s = stream_of(device_of(current), (uintptr_t)handle);
    if (s == NULL || bytes == 0 || bytes > room || (kind != 1 && kind != 2)) REFUSE(RT_PARAM_INVALID);
    const void *on_device = kind == 2 ? from : to, *host = kind == 2 ? to : from;
    give_copy(s, (uintptr_t)on_device, bytes, (void *)(uintptr_t)host, kind == 2);
    END_CALL
}

API aclError aclrtStreamWaitEvent(aclrtStream waiting, aclrtEvent handle) {
    CALL("aclrtStreamWaitEvent")
    NEEDS_CONTEXT();
    event *e = event_of((uintptr_t)handle);
    stream *s = stream_of(device_of(current), (uintptr_t)waiting);
    if (e == NULL || s == NULL) REFUSE(RT_PARAM_INVALID);
    wait_for_event(s, e);
    END_CALL
}

API aclError aclmdlRICaptureGetInfo(aclrtStream handle, int *status, void **model) {
    CALL("aclmdlRICaptureGetInfo")
    NEEDS_CONTEXT();
    stream *s = stream_of(device_of(current), (uintptr_t)handle);
    if (s == NULL) REFUSE(RT_PARAM_INVALID);
    *status = s->capturing;
    *model = NULL;
    END_CALL
}
