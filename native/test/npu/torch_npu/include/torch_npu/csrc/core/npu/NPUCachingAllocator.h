// The interface of torch_npu's allocator, as its public header of 2.7 declares it, so far as a front is concerned.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/Registry.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace c10d_npu {
struct HCCLComm {};
} // namespace c10d_npu

namespace c10_npu {

using CaptureId_t = unsigned long long;
using MempoolId_t = std::pair<CaptureId_t, CaptureId_t>;

namespace NPUCachingAllocator {

class FreeMemoryCallback {
 public:
    virtual ~FreeMemoryCallback(){};
    virtual bool Execute() = 0;
};
C10_DECLARE_REGISTRY(FreeNPUMemoryCallbacksRegistry, FreeMemoryCallback);
#define REGISTER_FREE_MEMORY_CALLBACK(name, ...) C10_REGISTER_CLASS(FreeNPUMemoryCallbacksRegistry, name, __VA_ARGS__);

struct Stat {
    int64_t current = 0, peak = 0, allocated = 0, freed = 0;
};
typedef std::array<Stat, 3> StatArray;

struct DeviceStats {
    StatArray allocation, segment, active, inactive_split, allocated_bytes, reserved_bytes, active_bytes, inactive_split_bytes, requested_bytes;
    int64_t num_alloc_retries = 0, num_ooms = 0;
    Stat oversize_allocations, oversize_segments;
    int64_t max_split_size = 0;
};

typedef std::shared_ptr<c10::GatheredContext> (*CreateContextFn)(void);

struct BlockInfo {
    int64_t size = 0, requested_size = 0;
    int32_t gc_counter = 0;
    bool allocated = false, active = false;
    std::shared_ptr<c10::GatheredContext> context_when_allocated;
};

struct SegmentInfo {
    int64_t device = 0, address = 0;
    aclrtStream stream = nullptr;
    int64_t total_size = 0, requested_size = 0, allocated_size = 0, active_size = 0;
    bool is_large = false, is_expandable = false;
    MempoolId_t owner_private_pool_id = {0, 0};
    std::vector<BlockInfo> blocks;
    std::shared_ptr<c10::GatheredContext> context_when_allocated;
};

struct AllocatorState {
    virtual ~AllocatorState() = default;
};

struct TraceEntry {
    enum Action { ALLOC, FREE_REQUESTED, FREE_COMPLETED, SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP, SNAPSHOT, OOM, WORKSPACE_SNAPSHOT };
    TraceEntry(Action action, int device, int64_t addr, size_t size, aclrtStream stream, MempoolId_t mempool = {0, 0},
               std::shared_ptr<c10::GatheredContext> context = nullptr)
        : action_(action), device_(device), addr_(addr), context_(std::move(context)), stream_(stream), size_(static_cast<int64_t>(size)),
          mempool_(mempool) {}
    Action action_;
    int device_;
    int64_t addr_;
    std::shared_ptr<c10::GatheredContext> context_;
    aclrtStream stream_;
    int64_t size_;
    MempoolId_t mempool_;
};

struct SnapshotInfo {
    std::vector<SegmentInfo> segments;
    std::vector<std::vector<TraceEntry>> device_traces;
};

struct CheckpointDelta {
    std::vector<void *> ptrs_freed;
    std::vector<c10::DataPtr> dataptrs_allocd;
};

enum struct RecordContext { NEVER = 0, STATE = 1, ALLOC = 2, ALL = 3 };

using OutOfMemoryObserver = std::function<void(int64_t device, int64_t allocated, int64_t device_total, int64_t device_free)>;
using AllocatorTraceTracker = std::function<void(const TraceEntry &)>;

struct ShareableHandle {
    ptrdiff_t offset;
    std::string handle;
};

class NPUAllocator : public c10::Allocator {
 public:
    virtual c10::DataPtr allocate_with_aligned(size_t size, size_t aligned) const = 0;
    virtual void *raw_alloc(size_t nbytes) = 0;
    virtual void *raw_alloc_with_stream(size_t nbytes, aclrtStream stream) = 0;
    virtual void raw_delete(void *ptr) = 0;
    virtual void init(int device_count) = 0;
    virtual bool initialized() = 0;
    virtual double getMemoryFraction(int device) = 0;
    virtual void setMemoryFraction(double fraction, int device) = 0;
    virtual void emptyCacheImpl(bool check_error, bool free_physical) = 0;
    virtual void emptyCache(bool check_error) = 0;
    virtual void emptyVirtAddrCache(bool check_error) = 0;
    virtual void cacheInfo(int dev_id, size_t *cachedAndFree, size_t *largestBlock) = 0;
    virtual void *getBaseAllocation(void *ptr, size_t *size) = 0;
    virtual void recordStream(const c10::DataPtr &ptr, c10_npu::NPUStream stream) = 0;
    virtual void eraseStream(const c10::DataPtr &ptr, c10_npu::NPUStream stream) = 0;
    virtual void eraseStreamWithBlockPtr(void *block_ptr, c10_npu::NPUStream stream, void *work_ptr) = 0;
    virtual void *getBlockPtr(const c10::DataPtr &ptr) = 0;
    virtual void recordHcclWorkForBlock(void *block_ptr, void *work_ptr) = 0;
    virtual DeviceStats getDeviceStats(int device) = 0;
    virtual void resetAccumulatedStats(int device) = 0;
    virtual void resetPeakStats(int device) = 0;
    virtual SnapshotInfo snapshot() = 0;
    virtual void beginAllocateToPool(c10::DeviceIndex device, MempoolId_t mempool_id, std::function<bool(aclrtStream)> filter) = 0;
    virtual void endAllocateToPool(c10::DeviceIndex device, MempoolId_t mempool_id) = 0;
    virtual void releasePool(c10::DeviceIndex device, MempoolId_t mempool_id) = 0;
    virtual bool hasCapturesUnderway(c10::DeviceIndex) { return false; }
    virtual void FreeDeviceCachedMemory(int device) = 0;
    virtual std::string name() = 0;
    virtual bool checkPoolLiveAllocations(c10::DeviceIndex, MempoolId_t, const std::unordered_set<void *> &) {
        TORCH_CHECK(false, name(), " does not yet support checkPoolLiveAllocations.");
    }
    virtual ShareableHandle shareIpcHandle(void *ptr) = 0;
    virtual std::shared_ptr<void> getIpcDevPtr(std::string handle) = 0;
    virtual bool isHistoryEnabled() { TORCH_CHECK(false, name(), " does not yet support recordHistory."); }
    virtual void recordHistory(bool enabled, CreateContextFn context_recorder, size_t alloc_trace_max_entries, RecordContext when) = 0;
    virtual void attachOutOfMemoryObserver(OutOfMemoryObserver observer) = 0;
    virtual void attachAllocatorTraceTracker(AllocatorTraceTracker tracker) = 0;
    virtual bool checkUceInMemPool(int device) = 0;
    virtual bool checkBlockIsSafe(const c10::DataPtr &ptr) = 0;
    virtual void markAllBlockUnsafe(int device) = 0;
    virtual void updateBlockToSafe(const c10::DataPtr &ptr) = 0;
    virtual void cleanEvent() = 0;
    virtual void buildServerMemMapForHccl(int, std::shared_ptr<c10d_npu::HCCLComm>) {}
    virtual std::shared_ptr<AllocatorState> getCheckpointState(c10::DeviceIndex device, MempoolId_t id) = 0;
    virtual CheckpointDelta setCheckpointPoolState(c10::DeviceIndex device, std::shared_ptr<AllocatorState> pps) = 0;
};

C10_NPU_API extern std::atomic<NPUAllocator *> allocator;

inline NPUAllocator *get() { return allocator.load(); }

} // namespace NPUCachingAllocator
} // namespace c10_npu
