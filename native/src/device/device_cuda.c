/*
 * device_cuda.c - NVIDIA GPUs through the driver's API for virtual memory.
 */
#include "device/cuda_driver.h"
#include "device/vmm.h"
#include "prim/numa_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ one GPU */

typedef struct cuda_device {
    vmm memory;
    int device;
    cu_context context;
    cu_allocation allocation;
    cu_access access[LACUNA_MAX_DEVICES]; /* its own, then those of peers */
    size_t accesses;
} cuda_device;

static cuda_device *of(vmm *v) {
    return (cuda_device *)(void *)v;
}

static cuda_device *self(device *d) {
    return (cuda_device *)(void *)d;
}

/*
 * The primary context, which the framework uses too, becomes the thread's own for the calls; and calls that could end a
 * running capture of a graph in another thread's mode are made in the relaxed one, which forbids nothing.
 */
static bool cuda_enter(vmm *v, void **former) {
    cu_context current = NULL;
    int mode = CU_CAPTURE_MODE_RELAXED;
    bool pushed = false;
    if (cu.context_current(&current) != CU_SUCCESS) return false;
    if (current != of(v)->context) {
        if (cu.context_push(of(v)->context) != CU_SUCCESS) return false;
        pushed = true;
    }
    if (cu.exchange_capture_mode(&mode) != CU_SUCCESS) mode = CU_CAPTURE_MODE_RELAXED;
    *former = (void *)(uintptr_t)((unsigned)mode << 1 | (unsigned)pushed);
    return true;
}

static void cuda_leave(vmm *v, void *former) {
    (void)v;
    unsigned kept = (unsigned)(uintptr_t)former;
    int mode = (int)(kept >> 1);
    cu_context popped;
    if (mode != CU_CAPTURE_MODE_RELAXED) cu.exchange_capture_mode(&mode);
    if ((kept & 1) != 0) cu.context_pop(&popped);
}

/* ------------------------------------------------------------------ memory */

static bool cuda_reserve(vmm *v, uint64_t bytes, uint64_t *address) {
    (void)v;
    unsigned long long at = 0;
    if (cu.reserve(&at, bytes, SLOT_BYTES, 0, 0) != CU_SUCCESS) return false;
    *address = at;
    return true;
}

static void cuda_unreserve(vmm *v, uint64_t address, uint64_t bytes) {
    (void)v;
    cu.unreserve(address, bytes);
}

static bool cuda_create(vmm *v, uint64_t bytes, uint64_t *handle) {
    unsigned long long made = 0;
    cu_allocation *wanted = &of(v)->allocation;
    cu_result result = cu.create(&made, bytes, wanted, 0);
    if (result != CU_SUCCESS && result != CU_OUT_OF_MEMORY && wanted->handle_types != 0) { /* rather unshared than none */
        wanted->handle_types = 0;
        result = cu.create(&made, bytes, wanted, 0);
    }
    if (result != CU_SUCCESS) return false;
    *handle = made;
    return true;
}

static void cuda_destroy(vmm *v, uint64_t handle) {
    (void)v;
    cu.release(handle);
}

static bool cuda_map(vmm *v, uint64_t address, uint64_t bytes, uint64_t handle) {
    (void)v;
    return cu.map(address, bytes, 0, handle, 0) == CU_SUCCESS;
}

static bool cuda_unmap(vmm *v, uint64_t address, uint64_t bytes) {
    (void)v;
    return cu.unmap(address, bytes) == CU_SUCCESS;
}

static bool cuda_grant(vmm *v, uint64_t address, uint64_t bytes) {
    return cu.set_access(address, bytes, of(v)->access, of(v)->accesses) == CU_SUCCESS;
}

static bool cuda_share(vmm *v, uint64_t handle, int *descriptor) {
    return of(v)->allocation.handle_types == CU_HANDLE_DESCRIPTOR &&
           cu.share(descriptor, handle, CU_HANDLE_DESCRIPTOR, 0) == CU_SUCCESS;
}

static const vmm_calls cuda_calls = {
    .reserve = cuda_reserve,
    .unreserve = cuda_unreserve,
    .create = cuda_create,
    .destroy = cuda_destroy,
    .map = cuda_map,
    .unmap = cuda_unmap,
    .grant = cuda_grant,
    .share = cuda_share,
    .enter = cuda_enter,
    .leave = cuda_leave,
};

static bool cuda_allow_peer(device *d, int peer) {
    cuda_device *c = self(d);
    int device;
    if (cu.device_get(&device, peer) != CU_SUCCESS) return false;
    for (size_t n = 0; n < c->accesses; n++) {
        if (c->access[n].location.id == device) return true;
    }
    if (c->accesses == LACUNA_MAX_DEVICES) return false;
    c->access[c->accesses++] = (cu_access){{CU_LOCATION_DEVICE, device}, CU_ACCESS_READ_WRITE};
    if (vmm_grant_all(&c->memory)) return true;
    c->accesses--;
    return false;
}

static uint64_t cuda_outside(device *d, uint64_t reserved) {
    void *former;
    size_t free = 0, total = 0;
    if (!vmm_enter(&self(d)->memory, &former)) return 0;
    bool known = cu.memory_info(&free, &total) == CU_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    uint64_t used = known && total > free ? total - free : 0;
    return used > reserved ? used - reserved : 0;
}

/* ------------------------------------------------------------------ streams and events */

static cu_stream stream_of(uint64_t handle) {
    return (cu_stream)(uintptr_t)handle;
}

static cu_event event_of(uint64_t handle) {
    return (cu_event)(uintptr_t)handle;
}

static bool cuda_event_create(device *d, uint64_t *event) {
    void *former;
    cu_event made = NULL;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = cu.event_create(&made, CU_EVENT_DISABLE_TIMING) == CU_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    *event = (uintptr_t)made;
    return done;
}

static void cuda_event_destroy(device *d, uint64_t event) {
    void *former;
    vmm *v = &self(d)->memory;
    bool entered = vmm_enter(v, &former); /* needed for no more than the mode of a capture */
    if (!v->orphaned) cu.event_destroy(event_of(event));
    if (entered) vmm_leave(v, former);
}

/* An event recorded into a graph that is being captured would become part of the graph and tell nothing. */
static bool can_record(uint64_t stream) {
    int capture = CU_CAPTURE_NONE;
    return stream != CU_STREAM_PER_THREAD && cu.stream_is_capturing(stream_of(stream), &capture) == CU_SUCCESS &&
           capture == CU_CAPTURE_NONE;
}

static bool cuda_event_record(device *d, uint64_t event, uint64_t stream) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = can_record(stream) && cu.event_record(event_of(event), stream_of(stream)) == CU_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

static enum event_state cuda_event_query(device *d, uint64_t event) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return EVENT_LOST;
    cu_result result = cu.event_query(event_of(event));
    vmm_leave(&self(d)->memory, former);
    return result == CU_SUCCESS ? EVENT_DONE : result == CU_NOT_READY ? EVENT_BUSY : EVENT_LOST;
}

static bool cuda_event_wait(device *d, uint64_t event) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = cu.event_synchronize(event_of(event)) == CU_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

static bool cuda_stream_wait(device *d, uint64_t stream, uint64_t event) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = can_record(stream) && cu.stream_wait_event(stream_of(stream), event_of(event), 0) == CU_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

static bool cuda_finish(device *d) {
    void *former;
    if (!vmm_enter(&self(d)->memory, &former)) return false;
    bool done = cu.context_synchronize() == CU_SUCCESS;
    vmm_leave(&self(d)->memory, former);
    return done;
}

/* ------------------------------------------------------------------ copies */

static bool cuda_copy_able(void) {
    return cu.host_alloc != NULL && cu.host_free != NULL && cu.stream_create != NULL && cu.stream_destroy != NULL &&
           cu.copy_out != NULL && cu.copy_in != NULL;
}

static void *cuda_host_take(vmm *v, uint64_t bytes) {
    (void)v;
    void *memory = NULL;
    return cu.host_alloc(&memory, bytes, CU_HOST_PORTABLE) == CU_SUCCESS ? memory : NULL;
}

static void cuda_host_give(vmm *v, void *memory) {
    (void)v;
    cu.host_free(memory);
}

static bool cuda_stream_create(vmm *v, uint64_t *stream) {
    (void)v;
    cu_stream made = NULL;
    if (cu.stream_create(&made, CU_STREAM_NON_BLOCKING) != CU_SUCCESS) return false;
    *stream = (uintptr_t)made;
    return true;
}

static void cuda_stream_destroy(vmm *v, uint64_t stream) {
    (void)v;
    cu.stream_destroy(stream_of(stream));
}

static bool cuda_copy(vmm *v, void *to, const void *from, uint64_t bytes, bool out, uint64_t stream) {
    (void)v;
    return (out ? cu.copy_out(to, (uintptr_t)from, bytes, stream_of(stream))
                : cu.copy_in((uintptr_t)to, from, bytes, stream_of(stream))) == CU_SUCCESS;
}

static const vmm_copy_calls cuda_copies = {
    .able = cuda_copy_able,
    .host_take = cuda_host_take,
    .host_give = cuda_host_give,
    .stream_create = cuda_stream_create,
    .stream_destroy = cuda_stream_destroy,
    .copy = cuda_copy,
};

/* ------------------------------------------------------------------ the table, opening and closing */

static void cuda_close(device *d) {
    cuda_device *c = self(d);
    vmm_copy_close(&c->memory);
    vmm_close(&c->memory);
    if (c->context != NULL && !c->memory.orphaned) cu.context_release(c->device);
    free(c);
}

static const device_stream_ops cuda_streams = {
    .event_create = cuda_event_create,
    .event_destroy = cuda_event_destroy,
    .event_record = cuda_event_record,
    .event_query = cuda_event_query,
    .event_wait = cuda_event_wait,
    .stream_wait = cuda_stream_wait,
    .finish = cuda_finish,
};

static const device_ops cuda_ops = {
    .name = "GPU",
    .map = vmm_map,
    .map_whole = vmm_map_whole,
    .release = vmm_release,
    .move = vmm_move,
    .copies = &vmm_copies,
    .streams = &cuda_streams,
    .allow_peer = cuda_allow_peer,
    .share = vmm_share,
    .outside = cuda_outside,
    .forked = vmm_forked,
    .is_valid = vmm_is_valid,
    .close = cuda_close,
};

static bool failed(const char *call, cu_result result, char *why, size_t bytes) {
    const char *text = NULL;
    if (cu.error_string != NULL) cu.error_string(result, &text);
    snprintf(why, bytes, "%s: %s (CUDA error %d)", call, text != NULL ? text : "failed", result);
    return false;
}

static bool find_device(cuda_device *c, int index, char *why, size_t bytes) {
    int count = 0, mapping = 0;
    cu_result result = cu.init(0);
    if (result != CU_SUCCESS && result != CU_NO_DEVICE) return failed("cuInit", result, why, bytes);
    if (result == CU_SUCCESS) result = cu.device_count(&count);
    if (result != CU_SUCCESS && result != CU_NO_DEVICE) return failed("cuDeviceGetCount", result, why, bytes);
    if (index >= count) {
        snprintf(why, bytes, "no CUDA device %d: the driver shows %d", index, count);
        return false;
    }
    result = cu.device_get(&c->device, index);
    if (result != CU_SUCCESS) return failed("cuDeviceGet", result, why, bytes);
    result = cu.device_attribute(&mapping, CU_ATTRIBUTE_VIRTUAL_MEMORY, c->device);
    if (result == CU_SUCCESS && mapping != 0) return true;
    snprintf(why, bytes, "CUDA device %d does not support virtual memory management", index);
    return false;
}

static void describe(cuda_device *c) {
    int rdma = 0, shared = 0;
    c->allocation.type = CU_ALLOCATION_PINNED;
    c->allocation.location = (cu_location){CU_LOCATION_DEVICE, c->device};
    /* So that network cards may read the memory, as they may what cuMemAlloc gives. */
    if (cu.device_attribute(&rdma, CU_ATTRIBUTE_RDMA_WITH_VMM, c->device) == CU_SUCCESS && rdma != 0) {
        c->allocation.flags.gpu_direct_rdma = 1;
    }
    if (cu.share != NULL && cu.device_attribute(&shared, CU_ATTRIBUTE_SHARED_BY_DESCRIPTOR, c->device) == CU_SUCCESS && shared != 0) {
        c->allocation.handle_types = CU_HANDLE_DESCRIPTOR;
    }
    c->access[0] = (cu_access){c->allocation.location, CU_ACCESS_READ_WRITE};
    c->accesses = 1;
}

static void find_place(cuda_device *c) {
    char bus[32] = "";
    bool told = cu.bus_id != NULL && cu.bus_id(bus, sizeof bus, c->device) == CU_SUCCESS;
    numa_find_pci(&c->memory.head.near, told ? bus : "");
}

static bool measure(cuda_device *c, char *why, size_t bytes) {
    void *former;
    size_t free = 0, total = 0, granularity = 0;
    if (!vmm_enter(&c->memory, &former)) {
        snprintf(why, bytes, "the CUDA context cannot be made current");
        return false;
    }
    cu_result result = cu.memory_info(&free, &total);
    if (result == CU_SUCCESS) result = cu.granularity(&granularity, &c->allocation, CU_GRANULARITY_MINIMUM);
    vmm_leave(&c->memory, former);
    if (result != CU_SUCCESS) return failed("asking the device for its memory", result, why, bytes);
    if (granularity == 0 || SLOT_BYTES % granularity != 0) {
        snprintf(why, bytes, "the device maps memory in units of %zu bytes, not 2 MiB", granularity);
        return false;
    }
    c->memory.head.total_bytes = total;
    return true;
}

static bool open_here(cuda_device *c, const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    if (!cuda_driver_load(why, bytes) || !find_device(c, options->device, why, bytes)) return false;
    cu_result result = cu.context_retain(&c->context, c->device);
    if (result != CU_SUCCESS) {
        c->context = NULL;
        return failed("cuDevicePrimaryCtxRetain", result, why, bytes);
    }
    describe(c);
    if (!measure(c, why, bytes) || !vmm_open(&c->memory, options, ranges, why, bytes)) return false;
    find_place(c);
    return true;
}

static device *open_cuda(const lacuna_options *options, uint64_t ranges, char *why, size_t bytes) {
    cuda_device *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->memory.head.ops = &cuda_ops;
    c->memory.calls = &cuda_calls;
    c->memory.copies = &cuda_copies;
    errno = 0;
    if (open_here(c, options, ranges, why, bytes)) return &c->memory.head;
    int cause = errno == ENOMEM ? ENOMEM : ENODEV;
    if (c->context != NULL) {
        cuda_close(&c->memory.head);
    } else {
        free(c);
    }
    errno = cause;
    return NULL;
}

const device_backend device_cuda = {
    .name = "CUDA",
    .out_of_memory = "CUDA",
    .framework = {"libc10_cuda.so", "libcuda.so.1", {"CUDA_VISIBLE_DEVICES"}},
    .open = open_cuda,
};
