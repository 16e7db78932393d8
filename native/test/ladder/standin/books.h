/*
 * books.h - what the stand-ins for libcuda.so.1 (driver.c) and libcudart.so (runtime.c) share: devices, memory, streams,
 * captures and the blocks that are watched. Both libraries answer for the same devices, so that what one of them takes is
 * missing for the other. All of it is in libcuda.so.1.
 *
 * Kernels do nothing; copies and sets are made, at once. Whoever wants to know that a stream has finished must still ask:
 * memory that a stream was given work on is in use until then, as it would be on a device (streams.c).
 *
 * STANDIN_DEVICES (1), STANDIN_BYTES of each (8 GiB), STANDIN_PEER=1 (devices can reach each other), CUDA_VISIBLE_DEVICES.
 * A rule that was broken is refused as by the driver, and a line in the file STANDIN_PROBLEMS.
 */
#ifndef LACUNA_LADDER_BOOKS_H
#define LACUNA_LADDER_BOOKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))
#define GRANULE (UINT64_C(2) << 20) /* what a device gives memory in */
#ifndef CUDART
#define CUDART 12 /* the runtime's major version */
#endif
enum { DEVICES = 16, STREAMS = 4096 };

/* CUresult and cudaError_t have the same numbers. */
enum {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201, INVALID_HANDLE = 400, PEER_ALREADY_ENABLED = 704, NOT_REGISTERED = 713, NOT_SUPPORTED = 801,
    CAPTURE_UNSUPPORTED = 900, CAPTURE_INVALIDATED = 901, CAPTURED_EVENT = 907, NOT_READY = 600, CAPTURE_WRONG_THREAD = 908
};

/* ------------------------------------------------------------------ books.c: devices, problems, the thread's device */

API __attribute__((format(printf, 1, 2))) void standin_problem(const char *format, ...);
API void standin_lock(void);
API void standin_unlock(void);
API int standin_devices(void);
API uint64_t standin_capacity(void);
API uint64_t standin_used(int device);
API int standin_attribute(int attribute);
/* After fork() a driver that was started is lost. */
API bool standin_is_lost(void);
API void standin_start(int device);
API bool standin_is_started(int device);
/* -1: the thread has none yet. */
API int standin_current(void);
API void standin_set_current(int device);
API bool standin_can_reach(int from, int to);
API int standin_enable_peer(int from, int to);
API bool standin_peer_is_enabled(int from, int to);
/* A function of libcuda.so.1 by the name that is asked for, whatever its version. */
API void *standin_symbol(const char *name);

/* ------------------------------------------------------------------ memory.c */

/* Where a device's memory is taken from cudaMalloc; NULL: there is not enough. */
API void *standin_malloc(int device, uint64_t bytes);
/* The device, -1: nothing begins there. */
API int standin_free(void *address);
/* Of what cudaMalloc gave, that which contains an address; 0: none. */
API uint64_t standin_piece(const void *address, void **begins);
/* The device whose memory is at an address, -1: none. */
API int standin_device_of(const void *address);
API bool standin_is_mapped_by_address(const void *address);
/* Whether work on a device may touch memory, which must be mapped and accessible there. */
API bool standin_may_touch(int device, const void *address, uint64_t bytes);
API int standin_share(const void *address, void *handle);
API int standin_open_shared(void **out, const void *handle);
API int standin_close_shared(void *address);
API bool standin_host_add(void *address, uint64_t bytes, bool ours);
API bool standin_host_drop(void *address);
API bool standin_is_host(const void *address);

/* ------------------------------------------------------------------ streams.c: under the lock inside */

typedef struct standin_event {
    int stream; /* -1: never recorded */
    uint64_t sequence, captured_in;
    int64_t time_ns;
} standin_event;

API void *standin_make_stream(int device);
API int standin_end_stream(void *handle);
API bool standin_is_stream(void *handle);
API int standin_record(standin_event *e, void *stream);
API int standin_query(standin_event *e); /* NOT_READY while a kernel that only waits has not ended */
API int standin_await(standin_event *e);
API void standin_busy(void *stream, int64_t ns); /* a kernel that only waits: what comes after it is not done before */
API int standin_wait(void *stream, standin_event *e);
/* CAPTURE_UNSUPPORTED while it is captured. */
API int standin_finish_stream(void *stream);
API int standin_finish_device(int device, const char *what);
/* A copy or a set that a stream was given, after it was made. */
API void standin_worked(void *stream, const void *address, uint64_t bytes);
/* What cudaFree does before it frees. */
API void standin_finish_all(void);
/* The stream that may still use memory, -1: none. The lock is held. */
API int standin_user_of(uint64_t address, uint64_t bytes);

API int standin_exchange_mode(int *mode);
API int standin_capture_begin(void *stream, int device, int mode);
API int standin_capture_end(void *stream, uint64_t *nodes);
/* 0 none, 1 active, 2 invalidated. */
API int standin_capture_state(void *stream, uint64_t *id);
API void standin_capture_node(void *stream);
/* Refuses, and ends the captures, where a call is unsafe beside them. */
API int standin_unsafe(const char *what);

/* ------------------------------------------------------------------ blocks.c: what an allocator gave out */

/* The block is painted; only copies and sets may change it until its end, when it is looked at. */
API void standin_block_begin(void *address, uint64_t bytes);
API void standin_block_end(void *address);
/* Other processes may write to it from now on: what it holds is looked at no more. */
API void standin_block_shared(void *address);
/* How many blocks are there, all looked at. */
API uint64_t standin_block_check_all(void);
API void standin_block_written(const void *address, uint64_t bytes);

/* Copies and sets, as a stream does them; refused where a device may not touch what they touch. */
API int standin_copy(int device, void *to, const void *from, uint64_t bytes, void *stream);
API int standin_copy_peer(void *to, const void *from, uint64_t bytes, void *stream);
API int standin_set(int device, void *to, int value, uint64_t bytes, void *stream);
API int standin_set_words(int device, void *to, unsigned value, uint64_t words, void *stream);


#endif
