// A c10::cuda::CUDACachingAllocator::CUDAAllocator that stands before the framework's own ("native"): ordinary requests are
// served by the agent, everything else goes to native. Compiled by `lacuna.front` against the headers of the PyTorch that
// will load it; the members that forward are made from the same headers (virtuals.py), so that none can be missing.
//
// Division. Native's: private pools of graphs and MemPools (each request is judged by the filter that opened the pool), streams
// that are being captured, everything while caching is disabled. Ours: the rest. Whose a block is, is told by its address.
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/core/impl/GPUTrace.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "agent.h"
#include "statistics.h"

namespace caching = c10::cuda::CUDACachingAllocator;

namespace c10::cuda::CUDACachingAllocator {

/* Hands everything on. The names of types in the generated members are those of this namespace. */
class Forwarding : public CUDAAllocator {
 public:
    explicit Forwarding(CUDAAllocator *before) : native(before) {}
#include "forwards.inc"
    CUDAAllocator *const native;
};

} // namespace c10::cuda::CUDACachingAllocator

namespace lacuna {

uint64_t handle(cudaStream_t stream) { return reinterpret_cast<uintptr_t>(stream); }

// ---------------------------------------------------------------- pools that are being allocated to

// Which requests are native's because somebody allocates to a private pool. Empty nearly always: then nothing is locked.
class OpenPools {
 public:
    void open(c10::DeviceIndex device, c10::MempoolId_t id, std::function<bool(cudaStream_t)> takes) {
        std::unique_lock<std::shared_mutex> held(lock);
        pools.push_back({device, id, std::move(takes)});
        count.store(pools.size(), std::memory_order_release);
    }

    void close(c10::DeviceIndex device, c10::MempoolId_t id) {
        std::unique_lock<std::shared_mutex> held(lock);
        for (auto at = pools.rbegin(); at != pools.rend(); ++at) {
            if (at->device != device || at->id != id) continue;
            pools.erase(std::next(at).base());
            break;
        }
        count.store(pools.size(), std::memory_order_release);
    }

    bool any() const { return count.load(std::memory_order_acquire) != 0; }

    bool take(c10::DeviceIndex device, cudaStream_t stream) const {
        std::shared_lock<std::shared_mutex> held(lock);
        for (const Pool &pool : pools) {
            if (pool.device == device && pool.takes(stream)) return true;
        }
        return false;
    }

 private:
    struct Pool {
        c10::DeviceIndex device;
        c10::MempoolId_t id;
        std::function<bool(cudaStream_t)> takes;
    };
    mutable std::shared_mutex lock;
    std::vector<Pool> pools;
    std::atomic<size_t> count{0};
};

bool is_capturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

// ---------------------------------------------------------------- blocks that wait for the end of a capture

// A free may record an event, which a stream that is being captured would take into its graph.
class Deferred {
 public:
    void add(lacuna_agent *agent, void *block) {
        std::lock_guard<std::mutex> held(lock);
        blocks.push_back({agent, block});
    }

    void finish(const Agent &call) {
        std::vector<Waiting> now;
        {
            std::lock_guard<std::mutex> held(lock);
            now.swap(blocks);
        }
        for (const Waiting &one : now) call.free(one.agent, one.block);
    }

 private:
    struct Waiting {
        lacuna_agent *agent;
        void *block;
    };
    std::mutex lock;
    std::vector<Waiting> blocks;
};

// ---------------------------------------------------------------- the front

struct Observers {
    std::mutex lock;
    std::vector<caching::OutOfMemoryObserver> all;
};

class Front;
Front *front;
void free_block(void *block);

class Front final : public caching::Forwarding {
 public:
    Front(caching::CUDAAllocator *before, const Agent &calls) : Forwarding(before), call(calls), statistics(calls) {}

    c10::DataPtr allocate(size_t bytes) override {
        c10::DeviceIndex device = c10::cuda::current_device();
        cudaStream_t stream = c10::cuda::getCurrentCUDAStream(device).stream();
        if (bytes == 0 || !native->isEnabled() || (pools.any() && is_natives(device, stream))) return native->allocate(bytes);
        void *block = take(device, stream, bytes);
        tell_allocated(device, block);
        return {block, block, &free_block, c10::Device(c10::DeviceType::CUDA, device)};
    }

    void recordStream(const c10::DataPtr &ptr, c10::cuda::CUDAStream stream) override {
        lacuna_agent *agent = ptr.get() ? call.process_owner(ptr.get()) : nullptr;
        if (agent == nullptr) native->recordStream(ptr, stream);
        else call.record_stream(agent, ptr.get(), handle(stream.stream()));
    }
#ifdef FRONT_HAS_recordStream_generic
    void recordStream(const c10::DataPtr &ptr, c10::Stream stream) override { recordStream(ptr, c10::cuda::CUDAStream(stream)); }
#endif

    void *getBaseAllocation(void *address, size_t *bytes) override {
        lacuna_agent *agent = call.process_owner(address);
        lacuna_placement place;
        if (agent == nullptr || call.place(agent, address, &place) != LACUNA_OK) return native->getBaseAllocation(address, bytes);
        if (bytes != nullptr) *bytes = place.block_bytes;
        return address;
    }

    bool is_simple_data_ptr(const c10::DataPtr &ptr) const override {
        bool ours = ptr.get_deleter() == &free_block && ptr.get() == ptr.get_context();
        return ours || native->is_simple_data_ptr(ptr);
    }

    // ------------------------------------------------------------ pools and captures

    void beginAllocateToPool(c10::DeviceIndex device, c10::MempoolId_t id, std::function<bool(cudaStream_t)> takes) override {
        native->beginAllocateToPool(device, id, takes);
        pools.open(device, id, std::move(takes));
    }

    void endAllocateToPool(c10::DeviceIndex device, c10::MempoolId_t id) override {
        native->endAllocateToPool(device, id);
        pools.close(device, id);
        if (!pools.any()) deferred.finish(call);
    }

    // ------------------------------------------------------------ caches and caps

#ifdef FRONT_HAS_emptyCache_1
    void emptyCache(c10::MempoolId_t id) override {
        native->emptyCache(id);
        if (id == c10::MempoolId_t{0, 0}) empty_ours();
    }
#else
    void emptyCache() override {
        native->emptyCache();
        empty_ours();
    }
#endif

    void setMemoryFraction(double fraction, c10::DeviceIndex device) override {
        native->setMemoryFraction(fraction, device); // refuses what is no fraction
        lacuna_agent *agent = serving(device);
        if (agent != nullptr && call.set_fraction(agent, fraction, 1, nullptr) != LACUNA_OK) {
            TORCH_CHECK(false, "Lacuna cannot hold the memory fraction ", fraction);
        }
    }

    void cacheInfo(c10::DeviceIndex device, size_t *largest) override {
        native->cacheInfo(device, largest);
        lacuna_agent *agent = serving(device);
        lacuna_device_counters now;
        if (agent == nullptr || call.counters(agent, &now) != LACUNA_OK) return;
        if (now.releasable_bytes > *largest) *largest = now.releasable_bytes; /* chunks move to where they are wanted */
    }

    // ------------------------------------------------------------ figures

    DeviceStats getDeviceStats(c10::DeviceIndex device) override {
        DeviceStats stats = native->getDeviceStats(device);
        lacuna_agent *agent = serving(device);
        if (agent != nullptr) statistics.add(device, agent, stats);
        return stats;
    }

    void resetAccumulatedStats(c10::DeviceIndex device) override {
        native->resetAccumulatedStats(device);
        lacuna_agent *agent = serving(device);
        if (agent != nullptr) statistics.restart(device, agent);
    }

    void resetPeakStats(c10::DeviceIndex device) override {
        native->resetPeakStats(device);
        lacuna_agent *agent = serving(device);
        if (agent != nullptr) call.reset_peaks(agent);
    }

    // ------------------------------------------------------------ other devices

    cudaError_t memcpyAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream,
                            bool peers) override {
        bool ours = to_device != from_device && (call.process_owner(to) != nullptr || call.process_owner(from) != nullptr);
        if (ours && !peers) return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream);
        return native->memcpyAsync(to, to_device, from, from_device, bytes, stream, peers);
    }

    void enablePeerAccess(c10::DeviceIndex device, c10::DeviceIndex peer) override {
        native->enablePeerAccess(device, peer);
        for (c10::DeviceIndex one : {device, peer}) {
            lacuna_agent *agent = serving(one);
            if (agent != nullptr && call.allow_peer(agent, one == device ? peer : device) != LACUNA_OK) {
                TORCH_CHECK(false, "GPU ", int(one), " cannot share Lacuna's memory with GPU ", int(one == device ? peer : device));
            }
        }
    }

    // ------------------------------------------------------------ out of memory

    void attachOutOfMemoryObserver(caching::OutOfMemoryObserver observer) override {
        {
            std::lock_guard<std::mutex> held(observers.lock);
            observers.all.push_back(observer);
        }
        native->attachOutOfMemoryObserver(std::move(observer));
    }

    // ------------------------------------------------------------ freeing

    void give_back(void *block) {
        lacuna_agent *agent = call.process_owner(block);
        if (agent == nullptr) return; /* of a process that was forked from: its device is not here */
        tell_freed(agent, block);
        if (pools.any()) {
            deferred.add(agent, block);
            return;
        }
        call.free(agent, block);
    }

    const Agent call;

 private:
    bool is_natives(c10::DeviceIndex device, cudaStream_t stream) const {
        return pools.take(device, stream) || is_capturing(stream);
    }

    lacuna_agent *serving(c10::DeviceIndex device) const {
        return device >= 0 && device < MOST_DEVICES ? call.served(LACUNA_BACKEND_CUDA, device) : nullptr;
    }

    void empty_ours() {
        for (int device = 0; device < MOST_DEVICES; device++) {
            lacuna_agent *agent = call.served(LACUNA_BACKEND_CUDA, device);
            if (agent != nullptr) call.empty_cache(agent);
        }
    }

    /* What profilers and sanitizers of the framework are told by native, too. */
    void tell_allocated(c10::DeviceIndex device, void *block) const {
        if (C10_UNLIKELY(c10::memoryProfilingEnabled())) tell_profiler(call.process_owner(block), device, block, 1);
        const c10::impl::PyInterpreter *interpreter = c10::impl::GPUTrace::get_trace();
        if (C10_UNLIKELY(interpreter != nullptr)) {
            (*interpreter)->trace_gpu_memory_allocation(c10::kCUDA, reinterpret_cast<uintptr_t>(block));
        }
    }

    void tell_freed(lacuna_agent *agent, void *block) const {
        if (C10_UNLIKELY(c10::memoryProfilingEnabled())) tell_profiler(agent, c10::cuda::current_device(), block, -1);
        const c10::impl::PyInterpreter *interpreter = c10::impl::GPUTrace::get_trace();
        if (C10_UNLIKELY(interpreter != nullptr)) {
            (*interpreter)->trace_gpu_memory_deallocation(c10::kCUDA, reinterpret_cast<uintptr_t>(block));
        }
    }

    void tell_profiler(lacuna_agent *agent, c10::DeviceIndex device, void *block, int64_t sign) const {
        lacuna_placement place;
        lacuna_device_counters now;
        if (call.place(agent, block, &place) != LACUNA_OK || call.counters(agent, &now) != LACUNA_OK) return;
        int64_t bytes = sign * static_cast<int64_t>(place.block_bytes);
        size_t allocated = now.allocated_bytes - (sign < 0 ? place.block_bytes : 0);
        c10::reportMemoryUsageToProfiler(block, bytes, allocated, now.reserved_bytes, c10::Device(c10::DeviceType::CUDA, device));
    }

    void *take(c10::DeviceIndex device, cudaStream_t stream, size_t bytes) {
        lacuna_agent *agent = call.process_device(LACUNA_BACKEND_CUDA, device);
        TORCH_CHECK_WITH(OutOfMemoryError, agent != nullptr, "Lacuna cannot serve GPU ", int(device), "; its reason stands on stderr");
        void *block = nullptr;
        if (C10_LIKELY(call.malloc(agent, bytes, handle(stream), &block) == LACUNA_OK)) return block;
        return take_of_natives(agent, device, stream, bytes);
    }

    /* Native's cache is the last memory that can be had; the agent has freed its own and asked swapping before. */
    void *take_of_natives(lacuna_agent *agent, c10::DeviceIndex device, cudaStream_t stream, size_t bytes) {
        std::string text = last_out_of_memory(agent);
        void *block = nullptr;
        if (natives_cache(device) > 0) {
            empty_native();
            if (call.malloc(agent, bytes, handle(stream), &block) == LACUNA_OK) return block;
            text = last_out_of_memory(agent);
        }
        tell_observers(agent, device, bytes);
        TORCH_CHECK_WITH(OutOfMemoryError, false, text);
    }

    void empty_native() {
#ifdef FRONT_HAS_emptyCache_1
        native->emptyCache({0, 0});
#else
        native->emptyCache();
#endif
    }

    int64_t natives_cache(c10::DeviceIndex device) {
        auto stats = native->getDeviceStats(device);
        return stats.reserved_bytes[0].current - stats.active_bytes[0].current;
    }

    std::string last_out_of_memory(lacuna_agent *agent) const {
        std::array<char, LACUNA_OOM_TEXT_BYTES> text{};
        return call.last_oom(agent, text.data(), text.size()) > 0 ? text.data() : "Lacuna refused a request";
    }

    void tell_observers(lacuna_agent *agent, c10::DeviceIndex device, size_t bytes) {
        std::vector<caching::OutOfMemoryObserver> all;
        {
            std::lock_guard<std::mutex> held(observers.lock);
            all = observers.all;
        }
        if (all.empty()) return;
        size_t free = 0, total = 0;
        lacuna_device_counters now{};
        if (cudaMemGetInfo(&free, &total) != cudaSuccess) cudaGetLastError();
        call.counters(agent, &now);
        for (const auto &observer : all) observer(device, bytes, now.limit_bytes < total ? now.limit_bytes : total, free);
    }

    Statistics statistics;
    OpenPools pools;
    Deferred deferred;
    Observers observers;
};

void free_block(void *block) {
    if (block != nullptr) front->give_back(block);
}

} // namespace lacuna

// ---------------------------------------------------------------- for Python

extern "C" {

// Puts the front before the allocator that stands. 0; 1 where it is not native's; 2 where the library is not the agent's.
__attribute__((visibility("default"))) int lacuna_front_install(const char *agents_library) {
    if (lacuna::front != nullptr) return 0;
    void *library = dlopen(agents_library, RTLD_NOW | RTLD_NOLOAD);
    lacuna::Agent calls;
    if (library == nullptr || !calls.find(library)) return 2;
    caching::CUDAAllocator *native = caching::allocator.load();
    if (native == nullptr || native->name() != "native") return 1;
    lacuna::front = new lacuna::Front(native, calls);
    caching::allocator.store(lacuna::front);
    c10::SetAllocator(c10::DeviceType::CUDA, lacuna::front);
    return 0;
}

} // extern "C"
