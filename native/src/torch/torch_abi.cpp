// The one C++ file: an out-of-memory must leave as a C++ exception, so that torch unwinds and Python sees a
// RuntimeError, and some of PyTorch's hooks take C++ arguments. Every out-of-memory leaves through the one throw here.
#include "torch/torch_abi.h"

#include "torch/pluggable.h"
#include "torch/private_pool.h"

#include <atomic>
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>

struct CUstream_st;

namespace {

using Thrower = void (*)(const char *);

std::atomic<Thrower> exact_thrower{nullptr}, exact_host_thrower{nullptr};

[[noreturn]] void leave(const std::atomic<Thrower> &exact, const char *text) {
    Thrower thrower = exact.load();
    if (thrower != nullptr) thrower(text);
    throw std::runtime_error(text);
}

// c10::MempoolId_t and the filter as CUDAPluggableAllocator passes them (torch/csrc/cuda/CUDAPluggableAllocator.h);
// torch_npu passes the same with its streams, which are pointers too.
using PoolId = std::pair<unsigned long long, unsigned long long>;
using StreamFilter = std::function<bool(CUstream_st *)>;

// Called under a lock that an exception would leave held. A filter that fails has not said yes.
bool takes(void *context, void *stream) {
    try {
        return (*static_cast<StreamFilter *>(context))(static_cast<CUstream_st *>(stream));
    } catch (...) {
        return false;
    }
}

void forget(void *context) { delete static_cast<StreamFilter *>(context); }

void begin(int device, PoolId id, const StreamFilter &filter) {
    private_pool_filter kept{takes, forget, new StreamFilter(filter)};
    if (!private_pool_begin(device, {id.first, id.second}, kept)) throw std::bad_alloc();
}

} // namespace

extern "C" {

void lacuna_torch_set_thrower(Thrower thrower) { exact_thrower.store(thrower); }

void lacuna_torch_set_host_thrower(Thrower thrower) { exact_host_thrower.store(thrower); }

void torch_throw_out_of_memory(const char *text) { leave(exact_thrower, text); }

void torch_throw_host_out_of_memory(const char *text) { leave(exact_host_thrower, text); }

LACUNA_API void lacuna_torch_begin_allocate_to_pool(int device, PoolId id, StreamFilter filter) { begin(device, id, filter); }

LACUNA_API void lacuna_torch_end_allocate_to_pool(int device, PoolId id) { private_pool_end(device, {id.first, id.second}); }

LACUNA_API void lacuna_torch_release_pool(int device, PoolId id) { private_pool_release(device, {id.first, id.second}); }

LACUNA_API void lacuna_npu_begin_allocate_to_pool(int device, PoolId id, StreamFilter filter) { begin(device, id, filter); }

LACUNA_API void lacuna_npu_end_allocate_to_pool(int device, PoolId id) { private_pool_end(device, {id.first, id.second}); }

LACUNA_API void lacuna_npu_release_pool(int device, PoolId id) { private_pool_release(device, {id.first, id.second}); }

} // extern "C"
