// The front for torch_npu: what is asked of an NPUAllocator alone.
#include "front.h"

namespace lacuna {

class NpuFront final : public Front {
 public:
    using Front::Front;

    void emptyCache(bool check) override {
        native->emptyCache(check);
        empty_ours();
    }

#ifdef FRONT_HAS_emptyCache_MempoolId_t
    void emptyCache(PoolId id) override {
        native->emptyCache(id);
        if (id == PoolId{0, 0}) empty_ours();
    }
#endif

#ifdef FRONT_HAS_emptyCacheImpl_bool_bool
    void emptyCacheImpl(bool check, bool physical) override {
        native->emptyCacheImpl(check, physical);
        if (physical) empty_ours();
    }
#endif

    void FreeDeviceCachedMemory(int device) override {
        native->FreeDeviceCachedMemory(device);
        lacuna_agent *agent = serving(static_cast<c10::DeviceIndex>(device));
        if (own_of(agent).releasable_bytes > 0) call.empty_cache(agent);
    }

    void cacheInfo(int device, size_t *cached, size_t *largest) override {
        native->cacheInfo(device, cached, largest);
        lacuna_report own = own_of(serving(static_cast<c10::DeviceIndex>(device)));
        *cached += own.releasable_bytes;
        *largest = std::max<size_t>(*largest, own.releasable_bytes); /* chunks move to where they are wanted */
    }

    // ------------------------------------------------------------ collectives

    /* "This stream is done with it": ours wait for what was recorded, which is right too. */
    void eraseStream(const c10::DataPtr &ptr, c10_npu::NPUStream stream) override {
        if (owner(ptr) == nullptr) native->eraseStream(ptr, stream);
    }

#ifdef FRONT_HAS_getBlockPtr_const_c10_DataPtr
    /* Native gives its own record of the block, and reads it when it comes back. Ours have none that native could read. */
    void *getBlockPtr(const c10::DataPtr &ptr) override { return owner(ptr) == nullptr ? native->getBlockPtr(ptr) : &one_of_ours; }

    void recordHcclWorkForBlock(void *block, void *work) override {
        if (block != &one_of_ours) native->recordHcclWorkForBlock(block, work);
    }

    void eraseStreamWithBlockPtr(void *block, c10_npu::NPUStream stream, void *work) override {
        if (block != &one_of_ours) native->eraseStreamWithBlockPtr(block, stream, work);
    }
#endif

    /* HCCL registers native's memory and copies in it without a buffer between: it would not find ours. */
    void buildServerMemMapForHccl(int device, std::shared_ptr<c10d_npu::HCCLComm> comm) override {
        stand_aside("HCCL registers memory for copies without a buffer (HCCL_ZERO_COPY)");
        native->buildServerMemMapForHccl(device, std::move(comm));
    }

    // ------------------------------------------------------------ damaged memory

    /* What the device reports as damaged is looked for among native's blocks alone. */
    bool checkBlockIsSafe(const c10::DataPtr &ptr) override { return owner(ptr) != nullptr || native->checkBlockIsSafe(ptr); }

    void updateBlockToSafe(const c10::DataPtr &ptr) override {
        if (owner(ptr) == nullptr) native->updateBlockToSafe(ptr);
    }

    // ------------------------------------------------------------ other processes

#ifdef FRONT_HAS_shareIpcHandle_void
    caching::ShareableHandle shareIpcHandle(void *block) override {
        TORCH_CHECK(call.process_owner(block) == nullptr,
                    "Lacuna's NPU memory cannot be opened by another process; share a copy on the host, or turn the optimisation off before the tensor is made");
        return native->shareIpcHandle(block);
    }
#endif

 protected:
    void empty_native() override { native->emptyCache(false); }

 private:
    char one_of_ours = 0;
};

class RoomForNative final : public caching::FreeMemoryCallback {
 public:
    bool Execute() override { return front != nullptr && front->make_room(); }
};

} // namespace lacuna

namespace c10_npu::NPUCachingAllocator {
REGISTER_FREE_MEMORY_CALLBACK("lacuna", lacuna::RoomForNative);
}

extern "C" {

__attribute__((visibility("default"))) int lacuna_front_install(const char *agents_library) {
    return lacuna::install<lacuna::NpuFront>(agents_library);
}

} // extern "C"

#include "exports.h"
