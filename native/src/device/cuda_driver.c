#include "device/cuda_driver.h"

#include "prim/library.h"

#include <pthread.h>

cuda_driver cu;

static const library_symbol cu_symbols[] = {
    {"cuInit", &cu.init, false},
    {"cuDeviceGetCount", &cu.device_count, false},
    {"cuDeviceGet", &cu.device_get, false},
    {"cuDeviceGetAttribute", &cu.device_attribute, false},
    {"cuDevicePrimaryCtxRetain", &cu.context_retain, false},
    {"cuDevicePrimaryCtxRelease_v2", &cu.context_release, false},
    {"cuCtxGetCurrent", &cu.context_current, false},
    {"cuCtxPushCurrent_v2", &cu.context_push, false},
    {"cuCtxPopCurrent_v2", &cu.context_pop, false},
    {"cuCtxSynchronize", &cu.context_synchronize, false},
    {"cuMemGetInfo_v2", &cu.memory_info, false},
    {"cuMemGetAllocationGranularity", &cu.granularity, false},
    {"cuMemAddressReserve", &cu.reserve, false},
    {"cuMemAddressFree", &cu.unreserve, false},
    {"cuMemCreate", &cu.create, false},
    {"cuMemRelease", &cu.release, false},
    {"cuMemMap", &cu.map, false},
    {"cuMemUnmap", &cu.unmap, false},
    {"cuMemSetAccess", &cu.set_access, false},
    {"cuEventCreate", &cu.event_create, false},
    {"cuEventDestroy_v2", &cu.event_destroy, false},
    {"cuEventRecord", &cu.event_record, false},
    {"cuEventQuery", &cu.event_query, false},
    {"cuEventSynchronize", &cu.event_synchronize, false},
    {"cuStreamWaitEvent", &cu.stream_wait_event, false},
    {"cuStreamIsCapturing", &cu.stream_is_capturing, false},
    {"cuThreadExchangeStreamCaptureMode", &cu.exchange_capture_mode, false},
    {"cuMemExportToShareableHandle", &cu.share, true},
    {"cuMemHostAlloc", &cu.host_alloc, true},
    {"cuMemFreeHost", &cu.host_free, true},
    {"cuStreamCreate", &cu.stream_create, true},
    {"cuStreamDestroy_v2", &cu.stream_destroy, true},
    {"cuMemcpyDtoHAsync_v2", &cu.copy_out, true},
    {"cuMemcpyHtoDAsync_v2", &cu.copy_in, true},
    {"cuDeviceGetPCIBusId", &cu.bus_id, true},
    {"cuGetErrorString", &cu.error_string, true},
};

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Tried anew until it has worked once: the library may come with a path that is set later. */
bool cuda_driver_load(char *why, size_t bytes) {
    static bool loaded;
    pthread_mutex_lock(&loading);
    if (!loaded) {
        const size_t count = sizeof cu_symbols / sizeof cu_symbols[0];
        loaded = library_open("libcuda.so.1", "CUDA driver", cu_symbols, count, why, bytes);
    }
    bool ready = loaded;
    pthread_mutex_unlock(&loading);
    return ready;
}
