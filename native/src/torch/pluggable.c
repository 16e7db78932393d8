#include "torch/pluggable.h"

#include "agent/agent.h"
#include "prim/log_line.h"
#include "process/devices.h"
#include "torch/private_pool.h"
#include "torch/torch_abi.h"

#include <stdio.h>

/* ------------------------------------------------------------------ finding the agent */

lacuna_agent *lacuna_served(int backend, int device) {
    return devices_find(backend, device);
}

static const char *device_word(int backend) {
    return backend == LACUNA_BACKEND_ASCEND ? "NPU" : "GPU";
}

static lacuna_agent *serve(int backend, int device) {
    lacuna_agent *agent = lacuna_process_device(backend, device);
    if (__builtin_expect(agent == NULL, 0)) {
        char text[128];
        snprintf(text, sizeof text, "Lacuna cannot serve %s %d; its reason stands on stderr", device_word(backend), device);
        torch_throw_out_of_memory(text);
    }
    return agent;
}

/* ------------------------------------------------------------------ allocating and freeing */

static void *take(int backend, size_t size, int device, void *stream) {
    lacuna_agent *agent = serve(backend, device);
    void *block = NULL;
    int status = lacuna_malloc(agent, size, (uint64_t)(uintptr_t)stream, &block);
    if (__builtin_expect(status == LACUNA_OK, 1)) return block;
    char text[LACUNA_OOM_TEXT_BYTES];
    if (lacuna_last_oom(agent, text, sizeof text) == 0) snprintf(text, sizeof text, "Lacuna refused a request");
    torch_throw_out_of_memory(text);
}

static void *take_private(int backend, size_t size, int device, void *stream) {
    bool pool_takes = false;
    void *block = private_pool_reuse(device, size, stream, &pool_takes);
    if (block != NULL) return block;
    block = take(backend, size, device, stream);
    lacuna_agent *agent = lacuna_served(backend, device);
    if (pool_takes && !private_pool_adopt(agent, device, block, size, stream)) {
        lacuna_free(agent, block); /* nobody else may have what a graph writes to, and no note can see to that */
        torch_throw_out_of_memory("out of host memory for the note that a block belongs to a graph");
    }
    return block;
}

static void *allocate(int backend, size_t size, int device, void *stream) {
    if (size == 0) return NULL;
    if (__builtin_expect(private_pools_exist(), 0)) return take_private(backend, size, device, stream);
    return take(backend, size, device, stream);
}

static void give_back(int backend, void *block, int device) {
    if (block == NULL) return;
    if (__builtin_expect(private_pools_exist(), 0) && private_pool_keep(block)) return;
    lacuna_agent *agent = lacuna_process_owner(block);
    if (agent == NULL || lacuna_free(agent, block) == LACUNA_UNKNOWN_POINTER) {
        log_line("%p is freed, but is no live block of %s %d; ignored", block, device_word(backend), device);
    }
}

/* ------------------------------------------------------------------ the other hooks */

static void empty_caches(int backend) {
    for (int i = 0; i < (int)LACUNA_MAX_DEVICES; i++) {
        lacuna_agent *agent = lacuna_served(backend, i);
        if (agent != NULL) lacuna_empty_cache(agent);
    }
}

static void set_fraction(int backend, double fraction, int device) {
    if (lacuna_set_fraction(serve(backend, device), fraction, 1, NULL) == LACUNA_OK) return;
    torch_throw_out_of_memory("the memory fraction must be above 0 and at most 1");
}

static void *base_of(void *address, size_t *size) {
    lacuna_agent *agent = lacuna_process_owner(address);
    lacuna_placement place;
    bool ours = agent != NULL && lacuna_place(agent, address, &place) == LACUNA_OK;
    if (size != NULL) *size = ours ? place.block_bytes : 0;
    return address;
}

static void note_stream(void *block, void *stream) {
    if (block == NULL) return;
    if (private_pools_exist() && private_pool_note(block, stream)) return;
    lacuna_agent *agent = lacuna_process_owner(block);
    if (agent != NULL) lacuna_record_stream(agent, block, (uint64_t)(uintptr_t)stream);
}

/* ------------------------------------------------------------------ the names */

void *lacuna_torch_malloc(size_t size, int device, void *stream) {
    return allocate(LACUNA_BACKEND_CUDA, size, device, stream);
}

void lacuna_torch_free(void *block, size_t size, int device, void *stream) {
    (void)size, (void)stream;
    give_back(LACUNA_BACKEND_CUDA, block, device);
}

/* Nothing is done here: a process that sees eight devices and uses one is to hold a context on one. */
void lacuna_torch_init(int device_count) {
    if (device_count > (int)LACUNA_MAX_DEVICES) {
        log_line("%d devices; those from number %u on cannot be served", device_count, LACUNA_MAX_DEVICES);
    }
}

void lacuna_torch_reset(void) {
    empty_caches(LACUNA_BACKEND_CUDA);
}

void lacuna_torch_memory_fraction(double fraction, int device) {
    set_fraction(LACUNA_BACKEND_CUDA, fraction, device);
}

void *lacuna_torch_base_alloc(void *address, size_t *size) {
    return base_of(address, size);
}

void lacuna_torch_record_stream(void *block, void *stream) {
    note_stream(block, stream);
}

void *lacuna_npu_malloc(size_t size, int device, void *stream) {
    return allocate(LACUNA_BACKEND_ASCEND, size, device, stream);
}

void lacuna_npu_free(void *block, size_t size, int device, void *stream) {
    (void)size, (void)stream;
    give_back(LACUNA_BACKEND_ASCEND, block, device);
}

void lacuna_npu_init(int device_count) {
    lacuna_torch_init(device_count);
}

void lacuna_npu_reset(bool check_error) {
    (void)check_error;
    empty_caches(LACUNA_BACKEND_ASCEND);
}

void lacuna_npu_memory_fraction(double fraction, int device) {
    set_fraction(LACUNA_BACKEND_ASCEND, fraction, device);
}

void *lacuna_npu_base_alloc(void *address, size_t *size) {
    return base_of(address, size);
}

void lacuna_npu_reset_peak(int8_t device) {
    lacuna_agent *agent = lacuna_served(LACUNA_BACKEND_ASCEND, device);
    if (agent != NULL) lacuna_reset_peaks(agent);
}

void lacuna_npu_record_stream(void *block, void *stream) {
    note_stream(block, stream);
}

/* The user says that the stream is done with the block. Waiting for it at the free is right too, and is what happens. */
void lacuna_npu_erase_stream(void *block, void *stream) {
    (void)block, (void)stream;
}

void *lacuna_mindspore_malloc(size_t size, int device, void *stream) {
    return allocate(LACUNA_BACKEND_ASCEND, size, device, stream);
}

void lacuna_mindspore_free(void *block, size_t size, void *stream) {
    (void)size, (void)stream;
    give_back(LACUNA_BACKEND_ASCEND, block, 0);
}
