/*
 * device_ascend.c - Huawei Ascend NPUs through AscendCL. No header of Huawei's is used: the types and numbers below are
 * the documented ones of CANN's acl_rt.h. What is mapped is what was allocated: offset 0, the same size, so every piece
 * of memory has a handle of its own; mapping also grants access.
 */
#include "device/vmm.h"
#include "prim/library.h"
#include "prim/numa_find.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ the runtime */

typedef int acl_error; /* aclError */
typedef void *acl_context;
typedef void *acl_stream;
typedef void *acl_event;
typedef void *acl_handle; /* aclrtDrvMemHandle */

enum {
    ACL_SUCCESS = 0,
    ACL_REPEAT_INITIALIZE = 100002, /* ACL_ERROR_REPEAT_INITIALIZE: the framework was first */

    ACL_HBM_MEM = 1,
    ACL_HBM_MEM_HUGE = 4,
    ACL_LOCATION_DEVICE = 1,
    ACL_GRANULARITY_MINIMUM = 0,
    ACL_RESERVE_HUGE_PAGES = 1,

    ACL_EVENT_SYNC = 1,
    ACL_EVENT_CAPTURE_STREAM_PROGRESS = 2,
    ACL_EVENT_RECORDED_COMPLETE = 1,

    ACL_CAPTURE_NONE = 0,

    ACL_HOST_TO_DEVICE = 1,
    ACL_DEVICE_TO_HOST = 2
};

typedef struct acl_physical { /* aclrtPhysicalMemProp */
    int handle_type;
    int allocation_type;
    int memory;
    struct {
        uint32_t id;
        int type;
    } location;
    uint64_t reserve;
} acl_physical;

_Static_assert(sizeof(acl_physical) == 32 && offsetof(acl_physical, reserve) == 24, "laid out as the runtime's");

static struct {
    acl_error (*init)(const char *config);
    acl_error (*device_count)(uint32_t *count);
    acl_error (*set_device)(int32_t device);
    acl_error (*current_context)(acl_context *context);
    acl_error (*set_context)(acl_context context);
    acl_error (*synchronize_device)(void);
    acl_error (*memory_info)(int attribute, size_t *free, size_t *total);
    acl_error (*granularity)(acl_physical *memory, int option, size_t *bytes);
    acl_error (*reserve)(void **address, size_t bytes, size_t alignment, void *wish, uint64_t flags);
    acl_error (*unreserve)(void *address);
    acl_error (*create)(acl_handle *handle, size_t bytes, const acl_physical *memory, uint64_t flags);
    acl_error (*release)(acl_handle handle);
    acl_error (*map)(void *address, size_t bytes, size_t offset, acl_handle handle, uint64_t flags);
    acl_error (*unmap)(void *address);
    acl_error (*event_create_ex)(acl_event *event, uint32_t flags);
    acl_error (*event_create)(acl_event *event, uint32_t flags);
    acl_error (*event_destroy)(acl_event event);
    acl_error (*event_record)(acl_event event, acl_stream stream);
    acl_error (*event_status)(acl_event event, int *status);
    acl_error (*event_synchronize)(acl_event event);
    acl_error (*stream_wait_event)(acl_stream stream, acl_event event);
    acl_error (*capture_info)(acl_stream stream, int *status, void **model);
    acl_error (*host_alloc)(void **memory, size_t bytes);
    acl_error (*host_free)(void *memory);
    acl_error (*stream_create)(acl_stream *stream);
    acl_error (*stream_destroy)(acl_stream stream);
    acl_error (*copy)(void *to, size_t room, const void *from, size_t bytes, int kind, acl_stream stream);
} acl;

static const library_symbol acl_symbols[] = {
    {"aclInit", &acl.init, false},
    {"aclrtGetDeviceCount", &acl.device_count, false},
    {"aclrtSetDevice", &acl.set_device, false},
    {"aclrtGetCurrentContext", &acl.current_context, false},
    {"aclrtSetCurrentContext", &acl.set_context, false},
    {"aclrtSynchronizeDevice", &acl.synchronize_device, false},
    {"aclrtGetMemInfo", &acl.memory_info, false},
    {"aclrtMemGetAllocationGranularity", &acl.granularity, false},
    {"aclrtReserveMemAddress", &acl.reserve, false},
    {"aclrtReleaseMemAddress", &acl.unreserve, false},
    {"aclrtMallocPhysical", &acl.create, false},
    {"aclrtFreePhysical", &acl.release, false},
    {"aclrtMapMem", &acl.map, false},
    {"aclrtUnmapMem", &acl.unmap, false},
    {"aclrtCreateEventExWithFlag", &acl.event_create_ex, true}, /* CANN 7 */
    {"aclrtCreateEventWithFlag", &acl.event_create, false},
    {"aclrtDestroyEvent", &acl.event_destroy, false},
    {"aclrtRecordEvent", &acl.event_record, false},
    {"aclrtQueryEventStatus", &acl.event_status, false},
    {"aclrtSynchronizeEvent", &acl.event_synchronize, false},
    {"aclrtStreamWaitEvent", &acl.stream_wait_event, false},
    {"aclrtMallocHost", &acl.host_alloc, true},
    {"aclrtFreeHost", &acl.host_free, true},
    {"aclrtCreateStream", &acl.stream_create, true},
    {"aclrtDestroyStream", &acl.stream_destroy, true},
    {"aclrtMemcpyAsync", &acl.copy, true},
    {"aclmdlRICaptureGetInfo", &acl.capture_info, true}, /* CANN 8: graphs are captured since */
};

/* ------------------------------------------------------------------ one NPU */

typedef struct ascend_device {
    vmm memory;
    int32_t device;
    acl_context context;
    acl_physical physical;
} ascend_device;

static ascend_device *of(vmm *v) {
    return (ascend_device *)(void *)v;
}

static ascend_device *self(device *d) {
    return (ascend_device *)(void *)d;
}

/* The device's default context, which the framework uses too, becomes the thread's own for the calls. */
static bool ascend_enter(vmm *v, void **former) {
    acl_context current = NULL;
    if (acl.current_context(&current) != ACL_SUCCESS) current = NULL; /* a thread that has none yet */
    if (current != of(v)->context && acl.set_context(of(v)->context) != ACL_SUCCESS) return false;
    *former = current;
    return true;
}

static void ascend_leave(vmm *v, void *former) {
    if (former != NULL && former != of(v)->context) acl.set_context(former);
}

/* ------------------------------------------------------------------ memory */

static void *pointer_to(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static bool ascend_reserve(vmm *v, uint64_t bytes, uint64_t *address) {
    (void)v;
    void *at = NULL;
    if (acl.reserve(&at, bytes, 0, NULL, ACL_RESERVE_HUGE_PAGES) != ACL_SUCCESS) return false;
    *address = (uintptr_t)at;
    return true;
}

static void ascend_unreserve(vmm *v, uint64_t address, uint64_t bytes) {
    (void)v;
    (void)bytes;
    acl.unreserve(pointer_to(address));
}

static bool ascend_create(vmm *v, uint64_t bytes, uint64_t *handle) {
    acl_handle made = NULL;
    if (acl.create(&made, bytes, &of(v)->physical, 0) != ACL_SUCCESS) return false;
    *handle = (uintptr_t)made;
    return true;
}

static void ascend_destroy(vmm *v, uint64_t handle) {
    (void)v;
    acl.release(pointer_to(handle));
}

static bool ascend_map(vmm *v, uint64_t address, uint64_t bytes, uint64_t handle) {
    (void)v;
    return acl.map(pointer_to(address), bytes, 0, pointer_to(handle), 0) == ACL_SUCCESS;
}

static bool ascend_unmap(vmm *v, uint64_t address, uint64_t bytes) {
    (void)v;
    (void)bytes;
    return acl.unmap(pointer_to(address)) == ACL_SUCCESS;
}

static const vmm_calls ascend_calls = {
    .reserve = ascend_reserve,
    .unreserve = ascend_unreserve,
    .create = ascend_create,
    .destroy = ascend_destroy,
    .map = ascend_map,
    .unmap = ascend_unmap,
    .enter = ascend_enter,
    .leave = ascend_leave,
};

static uint64_t ascend_outside(device *d, uint64_t reserved) {
    void *former;
    size_t free = 0, total = 0;
    if (!vmm_enter(&self(d)->memory, &former)) return 0;
    bool known = acl.memory_info(ACL_HBM_MEM, &free, &total) == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    uint64_t used = known && total > free ? total - free : 0;
    return used > reserved ? used - reserved : 0;
}

/* ------------------------------------------------------------------ streams and events */

/* The kind without a limit of its own on their number, where the runtime has it; both may be recorded again. */
static acl_error make_event(acl_event *made) {
    if (acl.event_create_ex != NULL) return acl.event_create_ex(made, ACL_EVENT_SYNC);
    return acl.event_create(made, ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS);
}

static bool ascend_event_create(device *d, uint64_t *event) {
    void *former;
    acl_event made = NULL;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = make_event(&made) == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    *event = (uintptr_t)made;
    return done;
}

static void ascend_event_destroy(device *d, uint64_t event) {
    void *former;
    vmm *v = &self(d)->memory;
    bool entered = vmm_enter(v, &former); /* needed for no more than the mode of a capture */
    if (!v->orphaned) acl.event_destroy(pointer_to(event));
    if (entered) vmm_leave(v, former);
}

/* An event recorded into a graph that is being captured would become part of the graph and tell nothing. */
static bool can_record(uint64_t stream) {
    int status = ACL_CAPTURE_NONE;
    void *model = NULL;
    if (acl.capture_info == NULL || acl.capture_info(pointer_to(stream), &status, &model) != ACL_SUCCESS) return true;
    return status == ACL_CAPTURE_NONE;
}

static bool ascend_event_record(device *d, uint64_t event, uint64_t stream) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = can_record(stream) && acl.event_record(pointer_to(event), pointer_to(stream)) == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

static enum event_state ascend_event_query(device *d, uint64_t event) {
    void *former;
    int status = 0;
    if (!vmm_enter(&self(d)->memory, &former)) return EVENT_LOST;
    bool known = acl.event_status(pointer_to(event), &status) == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    if (!known) return EVENT_LOST;
    return status == ACL_EVENT_RECORDED_COMPLETE ? EVENT_DONE : EVENT_BUSY;
}

static bool ascend_event_wait(device *d, uint64_t event) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = acl.event_synchronize(pointer_to(event)) == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

static bool ascend_stream_wait(device *d, uint64_t stream, uint64_t event) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = can_record(stream) && acl.stream_wait_event(pointer_to(stream), pointer_to(event)) == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

static bool ascend_finish(device *d) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = acl.synchronize_device() == ACL_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

/* ------------------------------------------------------------------ copies */

static bool ascend_copy_able(void) {
    return acl.host_alloc != NULL && acl.host_free != NULL && acl.stream_create != NULL && acl.stream_destroy != NULL &&
           acl.copy != NULL;
}

static void *ascend_host_take(vmm *v, uint64_t bytes) {
    (void)v;
    void *memory = NULL;
    return acl.host_alloc(&memory, bytes) == ACL_SUCCESS ? memory : NULL;
}

static void ascend_host_give(vmm *v, void *memory) {
    (void)v;
    acl.host_free(memory);
}

static bool ascend_stream_create(vmm *v, uint64_t *stream) {
    (void)v;
    acl_stream made = NULL;
    if (acl.stream_create(&made) != ACL_SUCCESS) return false;
    *stream = (uintptr_t)made;
    return true;
}

static void ascend_stream_destroy(vmm *v, uint64_t stream) {
    (void)v;
    acl.stream_destroy(pointer_to(stream));
}

static bool ascend_copy(vmm *v, void *to, const void *from, uint64_t bytes, bool out, uint64_t stream) {
    (void)v;
    int kind = out ? ACL_DEVICE_TO_HOST : ACL_HOST_TO_DEVICE;
    return acl.copy(to, bytes, from, bytes, kind, pointer_to(stream)) == ACL_SUCCESS;
}

static const vmm_copy_calls ascend_copies = {
    .able = ascend_copy_able,
    .host_take = ascend_host_take,
    .host_give = ascend_host_give,
    .stream_create = ascend_stream_create,
    .stream_destroy = ascend_stream_destroy,
    .copy = ascend_copy,
};

/* ------------------------------------------------------------------ the table, opening and closing */

/* The device is left as the framework has it: aclrtResetDevice() would end it for everybody. */
static void ascend_close(device *d) {
    vmm_copy_close(&self(d)->memory);
    vmm_close(&self(d)->memory);
    free(d);
}

static const device_stream_ops ascend_streams = {
    .event_create = ascend_event_create,
    .event_destroy = ascend_event_destroy,
    .event_record = ascend_event_record,
    .event_query = ascend_event_query,
    .event_wait = ascend_event_wait,
    .stream_wait = ascend_stream_wait,
    .finish = ascend_finish,
};

static const device_ops ascend_ops = {
    .name = "NPU",
    .map = vmm_map,
    .map_whole = vmm_map_whole,
    .release = vmm_release,
    .move = vmm_move,
    .copies = &vmm_copies,
    .streams = &ascend_streams,
    .outside = ascend_outside,
    .forked = vmm_forked,
    .is_valid = vmm_is_valid,
    .close = ascend_close,
};

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Tried anew until it has worked once: the library may come with a path that is set later. */
static bool load(char *why, size_t bytes) {
    static bool loaded;
    pthread_mutex_lock(&loading);
    if (!loaded) {
        const size_t count = sizeof acl_symbols / sizeof acl_symbols[0];
        loaded = library_open("libascendcl.so", "Ascend runtime", acl_symbols, count, why, bytes);
    }
    bool ready = loaded;
    pthread_mutex_unlock(&loading);
    return ready;
}

static bool failed(const char *call, acl_error error, char *why, size_t bytes) {
    snprintf(why, bytes, "%s failed (ACL error %d)", call, error);
    return false;
}

static bool find_device(ascend_device *a, int index, char *why, size_t bytes) {
    uint32_t count = 0;
    acl_error error = acl.init(NULL);
    if (error != ACL_SUCCESS && error != ACL_REPEAT_INITIALIZE) return failed("aclInit", error, why, bytes);
    error = acl.device_count(&count);
    if (error != ACL_SUCCESS) return failed("aclrtGetDeviceCount", error, why, bytes);
    if ((uint32_t)index >= count) {
        snprintf(why, bytes, "no Ascend device %d: the runtime shows %u", index, count);
        return false;
    }
    a->device = index;
    return true;
}

/* Sets the device for this thread to learn its default context, and puts back what the thread had. */
static bool find_context(ascend_device *a, char *why, size_t bytes) {
    acl_context former = NULL;
    if (acl.current_context(&former) != ACL_SUCCESS) former = NULL;
    acl_error error = acl.set_device(a->device);
    if (error != ACL_SUCCESS) return failed("aclrtSetDevice", error, why, bytes);
    error = acl.current_context(&a->context);
    if (former != NULL) acl.set_context(former);
    if (error == ACL_SUCCESS && a->context != NULL) return true;
    return failed("aclrtGetCurrentContext", error, why, bytes);
}

static bool measure(ascend_device *a, char *why, size_t bytes) {
    void *former;
    size_t free = 0, total = 0, granularity = 0;
    a->physical.memory = ACL_HBM_MEM_HUGE;
    a->physical.location.id = (uint32_t)a->device;
    a->physical.location.type = ACL_LOCATION_DEVICE;
    if (!vmm_enter(&a->memory, &former)) {
        snprintf(why, bytes, "the Ascend context cannot be made current");
        return false;
    }
    acl_error error = acl.memory_info(ACL_HBM_MEM, &free, &total);
    if (error == ACL_SUCCESS) error = acl.granularity(&a->physical, ACL_GRANULARITY_MINIMUM, &granularity);
    vmm_leave(&a->memory, former);
    if (error != ACL_SUCCESS) return failed("asking the device for its memory", error, why, bytes);
    if (total == 0 || granularity == 0 || SLOT_BYTES % granularity != 0) {
        snprintf(why, bytes, "the device maps memory in units of %zu bytes, not 2 MiB", granularity);
        return false;
    }
    a->memory.head.total_bytes = total;
    return true;
}

static device *open_ascend(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    ascend_device *a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    a->memory.head.ops = &ascend_ops;
    a->memory.calls = &ascend_calls;
    a->memory.copies = &ascend_copies;
    errno = 0;
    if (load(why, bytes) && find_device(a, options->device, why, bytes) && find_context(a, why, bytes) &&
        measure(a, why, bytes) && vmm_open(&a->memory, options, ranges, why, bytes)) {
        numa_find_ascend(&a->memory.head.near, options->device); /* AscendCL names no PCI device */
        return &a->memory.head;
    }
    int cause = errno == ENOMEM ? ENOMEM : ENODEV;
    if (a->context != NULL) {
        ascend_close(&a->memory.head);
    } else {
        free(a);
    }
    errno = cause;
    return NULL;
}

const device_backend device_ascend = {
    .name = "Ascend",
    .out_of_memory = "NPU",
    .framework = {"libtorch_npu.so", NULL, {"ASCEND_RT_VISIBLE_DEVICES"}},
    .open = open_ascend,
};
