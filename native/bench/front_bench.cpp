// What a request costs at PyTorch's own allocator, and at whatever stands there now: front_bench.py compiles and calls it.
#include <c10/cuda/CUDACachingAllocator.h>

#include <chrono>
#include <vector>

namespace {

c10::cuda::CUDACachingAllocator::CUDAAllocator *remembered;

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

} // namespace

extern "C" {

/* Before another stands in its place. */
__attribute__((visibility("default"))) void bench_remember() { remembered = c10::cuda::CUDACachingAllocator::get(); }

/* Nanoseconds for a request and its free. Its sizes go round, each block lives for `held` requests, so that blocks are found
 * and none is asked of the device. */
__attribute__((visibility("default"))) double bench_pair(int now, const size_t *sizes, int count, int held, int rounds) {
    c10::Allocator *allocator = remembered;
    if (now != 0) allocator = c10::cuda::CUDACachingAllocator::get();
    std::vector<c10::DataPtr> live(held);
    for (int n = 0; n < 4 * held * count; n++) live[n % held] = allocator->allocate(sizes[n % count]);
    Clock::time_point began = Clock::now();
    for (int n = 0; n < rounds; n++) {
        live[n % held].clear();
        live[n % held] = allocator->allocate(sizes[n % count]);
    }
    return nanoseconds(Clock::now() - began) / rounds;
}

} // extern "C"
