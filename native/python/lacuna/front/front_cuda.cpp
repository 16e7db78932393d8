// The front for PyTorch on CUDA: what is asked of a CUDAAllocator alone.
#include "front.h"
#include "sharing.h"

namespace lacuna {

class CudaFront final : public Front {
 public:
    using Front::Front;

#ifdef FRONT_HAS_emptyCache_MempoolId_t
    void emptyCache(PoolId id) override {
        native->emptyCache(id);
        if (id == PoolId{0, 0}) empty_ours();
    }
#else
    void emptyCache() override {
        native->emptyCache();
        empty_ours();
    }
#endif

    void cacheInfo(c10::DeviceIndex device, size_t *largest) override {
        native->cacheInfo(device, largest);
        lacuna_report own = own_of(serving(device));
        if (own.releasable_bytes > *largest) *largest = own.releasable_bytes; /* chunks move to where they are wanted */
    }

    // ------------------------------------------------------------ pools of a user's own

#if defined(FRONT_HAS_createOrIncrefPool_c10_DeviceIndex_MempoolId_t_std_shared_ptr_CUDAAllocator)
    void createOrIncrefPool(c10::DeviceIndex device, PoolId id, std::shared_ptr<Native> behind) override {
        native->createOrIncrefPool(device, id, std::move(behind));
        hold(id);
    }
#elif defined(FRONT_HAS_createOrIncrefPool_c10_DeviceIndex_MempoolId_t_CUDAAllocator)
    void createOrIncrefPool(c10::DeviceIndex device, PoolId id, Native *behind) override {
        native->createOrIncrefPool(device, id, behind);
        hold(id);
    }
#elif defined(FRONT_HAS_ensureExistsAndIncrefPool_c10_DeviceIndex_MempoolId_t)
    void ensureExistsAndIncrefPool(c10::DeviceIndex device, PoolId id) override {
        native->ensureExistsAndIncrefPool(device, id);
        hold(id);
    }
#endif

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

    // ------------------------------------------------------------ other processes

    caching::ShareableHandle shareIpcHandle(void *block) override {
        lacuna_agent *agent = call.process_owner(block);
        if (agent == nullptr) return native->shareIpcHandle(block);
        if (!sharing.can(call, agent, block)) { /* nor any other of ours: native's can from now on */
            if (may_serve()) stand_aside("a tensor is wanted in another process, where it cannot be opened");
            TORCH_CHECK(false, "this tensor cannot be opened by another process; one that is made from now on can, for its memory is PyTorch's own");
        }
        return sharing.share(call, agent, block);
    }

    Sharing sharing;

 protected:
    void empty_native() override {
#ifdef FRONT_HAS_emptyCache_MempoolId_t
        native->emptyCache({0, 0});
#else
        native->emptyCache();
#endif
    }
};

class RoomForNative final : public c10::FreeMemoryCallback {
 public:
    bool Execute() override { return front != nullptr && front->make_room(); }
};

} // namespace lacuna

namespace c10 {
REGISTER_FREE_MEMORY_CALLBACK("lacuna", lacuna::RoomForNative);
}

extern "C" {

__attribute__((visibility("default"))) int lacuna_front_install(const char *agents_library) {
    return lacuna::install<lacuna::CudaFront>(agents_library);
}

// What the records begin with by which other processes open memory (sharing.py); none: they cannot. Before anything is shared.
__attribute__((visibility("default"))) void lacuna_front_shares(const char *bytes, size_t size) {
    static_cast<lacuna::CudaFront *>(lacuna::front)->sharing.learn(bytes, size);
}

} // extern "C"

#include "exports.h"
