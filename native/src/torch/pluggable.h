/*
 * pluggable.h - the functions that PyTorch's CUDAPluggableAllocator, torch_npu's NPUPluggableAllocator and MindSpore
 * look up by name in liblacuna_torch.so (docs/pluggable.md). A stream is the vendor's handle.
 *
 * A request that cannot be met leaves as a C++ exception; none of these returns NULL for a size above 0.
 */
#ifndef LACUNA_PLUGGABLE_H
#define LACUNA_PLUGGABLE_H

#include "lacuna.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ PyTorch on CUDA */

/* Size 0 yields NULL, which lacuna_torch_free accepts with any size. */
LACUNA_API void *lacuna_torch_malloc(size_t size, int device, void *stream);
LACUNA_API void lacuna_torch_free(void *block, size_t size, int device, void *stream);
/* The framework starts up on this many devices. */
LACUNA_API void lacuna_torch_init(int device_count);
/* empty_cache(): gives what is cached back to every device. */
LACUNA_API void lacuna_torch_reset(void);
/* set_per_process_memory_fraction(): the trainer's own word, so the guard is not asked. Throws when out of range. */
LACUNA_API void lacuna_torch_memory_fraction(double fraction, int device);
/* The block that begins at this address, and its size. */
LACUNA_API void *lacuna_torch_base_alloc(void *address, size_t *size);
/* The block is used on this stream too. */
LACUNA_API void lacuna_torch_record_stream(void *block, void *stream);
/* lacuna_torch_begin_allocate_to_pool, lacuna_torch_end_allocate_to_pool and lacuna_torch_release_pool take C++
 * arguments and stand in torch_abi.cpp. */

/* ------------------------------------------------------------------ PyTorch on Ascend */

LACUNA_API void *lacuna_npu_malloc(size_t size, int device, void *stream);
LACUNA_API void lacuna_npu_free(void *block, size_t size, int device, void *stream);
LACUNA_API void lacuna_npu_init(int device_count);
LACUNA_API void lacuna_npu_reset(bool check_error);
LACUNA_API void lacuna_npu_memory_fraction(double fraction, int device);
LACUNA_API void *lacuna_npu_base_alloc(void *address, size_t *size);
/* reset_peak_memory_stats() of one device. */
LACUNA_API void lacuna_npu_reset_peak(int8_t device);
/* torch_npu passes its own stream class here; the extension that build-ext compiles unpacks it and calls these. */
LACUNA_API void lacuna_npu_record_stream(void *block, void *stream);
LACUNA_API void lacuna_npu_erase_stream(void *block, void *stream);

/* ------------------------------------------------------------------ MindSpore on Ascend: its free names no device */

LACUNA_API void *lacuna_mindspore_malloc(size_t size, int device, void *stream);
LACUNA_API void lacuna_mindspore_free(void *block, size_t size, void *stream);

/* ------------------------------------------------------------------ Lacuna's own channel */

/* The agent that serves a device (backend: lacuna_backend; device as the framework numbers them), NULL before the
 * first request for it. */
LACUNA_API lacuna_agent *lacuna_served(int backend, int device);

#ifdef __cplusplus
}
#endif
#endif
