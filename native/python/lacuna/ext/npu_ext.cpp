// Compiled by `python3 -m lacuna build-ext` against the headers of the torch_npu that will load it: the hooks whose
// arguments are torch_npu's own classes. What a stream and a device index are differs between its versions, so they are
// read from the declarations of the setters.
#include "torch_npu/csrc/npu/NPUPluggableAllocator.h"

#include <dlfcn.h>
#include <stdint.h>

namespace {

using Allocator = torch::npu::NPUPluggableAllocator::NPUPluggableAllocator;
using c10_npu::NPUCachingAllocator::DeviceStats;

template <class S> S stream_of(void (Allocator::*)(std::function<void(void *, S)>));
template <class D> D index_of(void (Allocator::*)(std::function<DeviceStats(D)>));

using Stream = decltype(stream_of(&Allocator::set_record_stream_fn));
using Index = decltype(index_of(&Allocator::set_get_device_stats_fn));

void *handle(void *stream) { return stream; }
template <class S> void *handle(const S &stream) { return stream.stream(); }

// The agent is in the process already; its symbols may not be global.
template <class F> F *agent(const char *name) {
    static void *library = dlopen(getenv("LACUNA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
    return reinterpret_cast<F *>(dlsym(library ? library : RTLD_DEFAULT, name));
}

struct Statistic {
    uint64_t current, peak, allocated;
};

// The beginning of lacuna_report.
struct Report {
    Statistic of[27];
    uint64_t retries, ooms;
};

template <class Array> void fill(Array &stats, const Statistic *three) {
    for (size_t i = 0; i < 3; i++) { // all, small pool, large pool: c10's order too
        stats[i].current = static_cast<int64_t>(three[i].current);
        stats[i].peak = static_cast<int64_t>(three[i].peak);
        stats[i].allocated = static_cast<int64_t>(three[i].allocated);
        stats[i].freed = static_cast<int64_t>(three[i].allocated - three[i].current);
    }
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void lacuna_ext_npu_record_stream(void *block, Stream stream) {
    static auto *record = agent<void(void *, void *)>("lacuna_npu_record_stream");
    record(block, handle(stream));
}

__attribute__((visibility("default"))) void lacuna_ext_npu_erase_stream(void *block, Stream stream) {
    static auto *erase = agent<void(void *, void *)>("lacuna_npu_erase_stream");
    erase(block, handle(stream));
}

__attribute__((visibility("default"))) DeviceStats lacuna_ext_npu_device_stats(Index device) {
    static auto *served = agent<void *(int, int)>("lacuna_served");
    static auto *statistics = agent<int(void *, Report *, size_t)>("lacuna_statistics");
    DeviceStats stats;
    Report report = {};
    void *which = served(3, static_cast<int>(device)); // LACUNA_BACKEND_ASCEND
    if (which) statistics(which, &report, sizeof report);
    fill(stats.allocation, report.of);
    fill(stats.allocated_bytes, report.of + 3);
    fill(stats.requested_bytes, report.of + 6);
    fill(stats.active, report.of + 9);
    fill(stats.active_bytes, report.of + 12);
    fill(stats.segment, report.of + 15);
    fill(stats.reserved_bytes, report.of + 18);
    fill(stats.inactive_split, report.of + 21);
    fill(stats.inactive_split_bytes, report.of + 24);
    stats.num_alloc_retries = static_cast<int64_t>(report.retries);
    stats.num_ooms = static_cast<int64_t>(report.ooms);
    return stats;
}

} // extern "C"
