// Does what torch.cuda.memory.change_current_allocator does, through the same functions of libtorch_cuda, for programs
// that are not Python: makes a CUDAPluggableAllocator of the functions in a library, sets its hooks, makes it current.
#include "real_allocator.h"

#include <cstddef>
#include <cstdio>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <utility>

struct CUstream_st;

namespace c10::cuda::CUDACachingAllocator {
class CUDAAllocator;
}

namespace torch::cuda::CUDAPluggableAllocator {
using Base = c10::cuda::CUDACachingAllocator::CUDAAllocator;
using PoolId = std::pair<unsigned long long, unsigned long long>;

class CUDAPluggableAllocator { // its functions that are not virtual; its data belongs to libtorch
  public:
    void set_init_fn(std::function<void(int)>);
    void set_reset_fn(std::function<void()>);
    void set_memory_fraction_fn(std::function<void(double, int)>);
    void set_base_alloc_fn(std::function<void *(void *, size_t *)>);
    void set_record_stream_fn(std::function<void(void *, CUstream_st *)>);
    void set_begin_allocate_to_pool(std::function<void(int, PoolId, std::function<bool(CUstream_st *)>)>);
    void set_end_allocate_to_pool_fn(std::function<void(int, PoolId)>);
    void set_release_pool(std::function<void(int, PoolId)>);
};

std::shared_ptr<Base> createCustomAllocator(std::function<void *(size_t, int, CUstream_st *)>,
                                            std::function<void(void *, size_t, int, CUstream_st *)>);
void changeCurrentAllocator(const std::shared_ptr<Base> &);
} // namespace torch::cuda::CUDAPluggableAllocator

namespace plug = torch::cuda::CUDAPluggableAllocator;

template <class F> static F *find(void *library, const char *name) { return reinterpret_cast<F *>(dlsym(library, name)); }

extern "C" __attribute__((visibility("default"))) int rivals_plug(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    static std::shared_ptr<plug::Base> allocator =
        plug::createCustomAllocator(find<void *(size_t, int, CUstream_st *)>(library, "lacuna_torch_malloc"),
                                    find<void(void *, size_t, int, CUstream_st *)>(library, "lacuna_torch_free"));
    auto *hooks = reinterpret_cast<plug::CUDAPluggableAllocator *>(allocator.get());
    hooks->set_init_fn(find<void(int)>(library, "lacuna_torch_init"));
    hooks->set_reset_fn(find<void()>(library, "lacuna_torch_reset"));
    hooks->set_memory_fraction_fn(find<void(double, int)>(library, "lacuna_torch_memory_fraction"));
    hooks->set_base_alloc_fn(find<void *(void *, size_t *)>(library, "lacuna_torch_base_alloc"));
    hooks->set_record_stream_fn(find<void(void *, CUstream_st *)>(library, "lacuna_torch_record_stream"));
    hooks->set_begin_allocate_to_pool(find<void(int, plug::PoolId, std::function<bool(CUstream_st *)>)>(
        library, "lacuna_torch_begin_allocate_to_pool"));
    hooks->set_end_allocate_to_pool_fn(find<void(int, plug::PoolId)>(library, "lacuna_torch_end_allocate_to_pool"));
    hooks->set_release_pool(find<void(int, plug::PoolId)>(library, "lacuna_torch_release_pool"));
    plug::changeCurrentAllocator(allocator);
    return 0;
}

// All figures of PyTorch's memory_stats() for device 0: current, peak and sum, in the order of lacuna_report.
extern "C" __attribute__((visibility("default"))) void rivals_figures(int64_t out[81]) {
    real::Statistics s = real::current.load()->statistics(0);
    const real::Stat *const figures[] = {s.allocation,     s.allocated_bytes, s.requested_bytes,
                                         s.active,         s.active_bytes,    s.segment,
                                         s.reserved_bytes, s.inactive_split,  s.inactive_split_bytes};
    for (int i = 0; i < 27; i++) {
        const real::Stat &stat = figures[i / 3][i % 3];
        out[3 * i] = stat.current;
        out[3 * i + 1] = stat.peak;
        out[3 * i + 2] = stat.allocated;
    }
}

// What PyTorch's own allocator counted on device 0: allocations, frees, out-of-memories, retries, peak allocated, peak
// reserved.
extern "C" __attribute__((visibility("default"))) void rivals_statistics(int64_t out[6]) {
    real::Statistics s = real::current.load()->statistics(0);
    const int64_t counted[] = {s.allocation[0].allocated, s.allocation[0].freed,      s.ooms,
                               s.alloc_retries,           s.allocated_bytes[0].peak, s.reserved_bytes[0].peak};
    for (int i = 0; i < 6; i++) out[i] = counted[i];
}
