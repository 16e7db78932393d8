/*
 * cuda_driver.h - the CUDA driver's functions, found at run time. No header of NVIDIA's is used: the types and numbers below
 * are the documented ones of the CUDA driver API (memory management, "Virtual Memory Management").
 */
#ifndef LACUNA_CUDA_DRIVER_H
#define LACUNA_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

typedef int cu_result; /* CUresult */
typedef struct cu_context *cu_context;
typedef struct cu_stream *cu_stream;
typedef struct cu_event *cu_event;

enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NO_DEVICE = 100,
    CU_NOT_READY = 600,

    CU_EVENT_DISABLE_TIMING = 2,
    CU_STREAM_NON_BLOCKING = 1,
    CU_HOST_PORTABLE = 1, /* pinned for all contexts */

    CU_ATTRIBUTE_VIRTUAL_MEMORY = 102, /* …_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED */
    CU_ATTRIBUTE_SHARED_BY_DESCRIPTOR = 103, /* …_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED */
    CU_ATTRIBUTE_RDMA_WITH_VMM = 110,  /* …_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED */

    CU_ALLOCATION_PINNED = 1,
    CU_HANDLE_DESCRIPTOR = 1, /* CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR */
    CU_LOCATION_DEVICE = 1,
    CU_ACCESS_READ_WRITE = 3,
    CU_GRANULARITY_MINIMUM = 0,

    CU_CAPTURE_NONE = 0,
    CU_CAPTURE_MODE_RELAXED = 2
};

#define CU_STREAM_PER_THREAD 2 /* CUstream: means another stream in every thread */

typedef struct cu_location {
    int type;
    int id;
} cu_location;

typedef struct cu_allocation { /* CUmemAllocationProp */
    int type;
    int handle_types;
    cu_location location;
    void *win32_metadata;
    struct {
        unsigned char compression;
        unsigned char gpu_direct_rdma;
        unsigned short usage;
        unsigned char reserved[4];
    } flags;
} cu_allocation;

typedef struct cu_access { /* CUmemAccessDesc */
    cu_location location;
    int flags;
} cu_access;

_Static_assert(sizeof(cu_allocation) == 32 && sizeof(cu_access) == 12, "laid out as the driver's");

typedef struct cuda_driver {
    cu_result (*init)(unsigned flags);
    cu_result (*device_count)(int *count);
    cu_result (*device_get)(int *device, int ordinal);
    cu_result (*device_attribute)(int *value, int attribute, int device);
    cu_result (*context_retain)(cu_context *context, int device);
    cu_result (*context_release)(int device);
    cu_result (*context_current)(cu_context *context);
    cu_result (*context_push)(cu_context context);
    cu_result (*context_pop)(cu_context *context);
    cu_result (*context_synchronize)(void);
    cu_result (*memory_info)(size_t *free, size_t *total);
    cu_result (*granularity)(size_t *bytes, const cu_allocation *allocation, int option);
    cu_result (*reserve)(unsigned long long *address, size_t bytes, size_t alignment, unsigned long long wish,
                         unsigned long long flags);
    cu_result (*unreserve)(unsigned long long address, size_t bytes);
    cu_result (*create)(unsigned long long *handle, size_t bytes, const cu_allocation *allocation,
                        unsigned long long flags);
    cu_result (*release)(unsigned long long handle);
    cu_result (*share)(void *out, unsigned long long handle, int type, unsigned long long flags);
    cu_result (*map)(unsigned long long address, size_t bytes, size_t offset, unsigned long long handle,
                     unsigned long long flags);
    cu_result (*unmap)(unsigned long long address, size_t bytes);
    cu_result (*set_access)(unsigned long long address, size_t bytes, const cu_access *access, size_t count);
    cu_result (*event_create)(cu_event *event, unsigned flags);
    cu_result (*event_destroy)(cu_event event);
    cu_result (*event_record)(cu_event event, cu_stream stream);
    cu_result (*event_query)(cu_event event);
    cu_result (*event_synchronize)(cu_event event);
    cu_result (*stream_wait_event)(cu_stream stream, cu_event event, unsigned flags);
    cu_result (*stream_is_capturing)(cu_stream stream, int *status);
    cu_result (*exchange_capture_mode)(int *mode);
    cu_result (*host_alloc)(void **memory, size_t bytes, unsigned flags);
    cu_result (*host_free)(void *memory);
    cu_result (*stream_create)(cu_stream *stream, unsigned flags);
    cu_result (*stream_destroy)(cu_stream stream);
    cu_result (*copy_out)(void *to, unsigned long long from, size_t bytes, cu_stream stream);
    cu_result (*copy_in)(unsigned long long to, const void *from, size_t bytes, cu_stream stream);
    cu_result (*bus_id)(char *text, int bytes, int device);
    cu_result (*error_string)(cu_result error, const char **text);
} cuda_driver;

/* To be called once it is loaded. */
extern cuda_driver cu;

/* False with the reason in one sentence. */
bool cuda_driver_load(char *why, size_t bytes);

#endif
