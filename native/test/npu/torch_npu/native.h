// The stand-in's own allocator: a segment a block, kept after its free until a request of its size or an emptied cache.
#pragma once

#include "torch_npu/csrc/core/npu/NPUCachingAllocator.h"
#include "torch_npu/csrc/core/npu/NPUFunctions.h"

#include <map>
#include <mutex>
#include <sstream>

namespace npu_standin {

using namespace c10_npu::NPUCachingAllocator;
using c10_npu::MempoolId_t;

constexpr int DEVICES = 2;
constexpr size_t PAGE = size_t(2) << 20;

struct Block {
    int device;
    void *address;
    size_t segment, requested;
    aclrtStream stream;
    MempoolId_t pool;
    aclrtDrvMemHandle handle;
    bool live;
    void *work;
};

class NativeAllocator final : public NPUAllocator {
 public:
    c10::DataPtr allocate(size_t bytes) override {
        int device = 0;
        c10_npu::GetDevice(&device);
        void *block = bytes == 0 ? nullptr : take(device, bytes, c10_npu::getCurrentNPUStream(c10::DeviceIndex(device)).stream(false));
        return {block, block, &give, c10::Device(c10::DeviceType::PrivateUse1, c10::DeviceIndex(device))};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &give; }
    void copy_data(void *, const void *, size_t) const override { TORCH_CHECK(false, "not in the stand-in"); }
    c10::DataPtr allocate_with_aligned(size_t bytes, size_t) const override { return const_cast<NativeAllocator *>(this)->allocate(bytes); }
    void *raw_alloc(size_t bytes) override { return raw_alloc_with_stream(bytes, nullptr); }
    void *raw_alloc_with_stream(size_t bytes, aclrtStream stream) override {
        int device = 0;
        c10_npu::GetDevice(&device);
        return take(device, bytes, stream);
    }
    void raw_delete(void *block) override { free(block); }
    void init(int) override { is_initialized = true; }
    bool initialized() override { return is_initialized; }
    std::string name() override { return "native"; }

    double getMemoryFraction(int device) override { return fractions[size_t(device)]; }
    void setMemoryFraction(double fraction, int device) override { fractions[size_t(device)] = fraction; }

    void emptyCacheImpl(bool, bool) override {
        std::lock_guard<std::recursive_mutex> held(lock);
        for (int device = 0; device < DEVICES; device++) release_free(device);
    }
    void emptyCache(bool check) override { emptyCacheImpl(check, true); }
    void emptyVirtAddrCache(bool) override {}
    void FreeDeviceCachedMemory(int device) override { release_free(device); }

    void cacheInfo(int device, size_t *cached, size_t *largest) override {
        std::lock_guard<std::recursive_mutex> held(lock);
        for (auto &one : blocks) {
            if (one.second.live || one.second.device != device) continue;
            *cached += one.second.segment;
            *largest = std::max(*largest, one.second.segment);
        }
    }

    void *getBaseAllocation(void *block, size_t *bytes) override {
        if (bytes != nullptr) *bytes = known(block).segment;
        return block;
    }
    void recordStream(const c10::DataPtr &block, c10_npu::NPUStream) override { known(block.get()); }
    void eraseStream(const c10::DataPtr &block, c10_npu::NPUStream) override { known(block.get()); }
    void *getBlockPtr(const c10::DataPtr &block) override { return block.get() ? &known(block.get()) : nullptr; }
    void recordHcclWorkForBlock(void *block, void *work) override { is_known(block)->work = work; }
    void eraseStreamWithBlockPtr(void *block, c10_npu::NPUStream, void *work) override {
        TORCH_CHECK(is_known(block)->work == work, "another work's block");
    }

    DeviceStats getDeviceStats(int device) override {
        std::lock_guard<std::recursive_mutex> held(lock);
        return stats[size_t(device)];
    }
    void resetAccumulatedStats(int) override {}
    void resetPeakStats(int device) override {
        for (StatArray *of : arrays(stats[size_t(device)])) {
            for (Stat &one : *of) one.peak = one.current;
        }
    }

    SnapshotInfo snapshot() override {
        std::lock_guard<std::recursive_mutex> held(lock);
        SnapshotInfo all;
        for (auto &entry : blocks) {
            const Block &one = entry.second;
            SegmentInfo segment;
            segment.device = one.device;
            segment.address = reinterpret_cast<int64_t>(one.address);
            segment.stream = one.stream;
            segment.total_size = int64_t(one.segment);
            segment.owner_private_pool_id = one.pool;
            BlockInfo block;
            block.size = int64_t(one.segment);
            block.requested_size = int64_t(one.requested);
            block.allocated = block.active = one.live;
            segment.blocks.push_back(block);
            all.segments.push_back(segment);
        }
        all.device_traces.resize(DEVICES);
        if (tracker) tracker(TraceEntry(TraceEntry::SNAPSHOT, 0, 0, 0, nullptr));
        return all;
    }

    void beginAllocateToPool(c10::DeviceIndex, MempoolId_t id, std::function<bool(aclrtStream)> takes) override { pools[id] = std::move(takes); }
    void endAllocateToPool(c10::DeviceIndex, MempoolId_t id) override { pools.erase(id); }
    void releasePool(c10::DeviceIndex, MempoolId_t) override {}

    ShareableHandle shareIpcHandle(void *block) override { return {0, std::to_string(known(block).segment)}; }
    std::shared_ptr<void> getIpcDevPtr(std::string) override { return nullptr; }
    bool isHistoryEnabled() override { return false; }
    void recordHistory(bool, CreateContextFn, size_t, RecordContext) override {}
    void attachOutOfMemoryObserver(OutOfMemoryObserver one) override { observers.push_back(std::move(one)); }
    void attachAllocatorTraceTracker(AllocatorTraceTracker one) override { tracker = std::move(one); }
    bool checkUceInMemPool(int) override { return false; }
    bool checkBlockIsSafe(const c10::DataPtr &block) override { return known(block.get()).live; }
    void markAllBlockUnsafe(int) override {}
    void updateBlockToSafe(const c10::DataPtr &block) override { known(block.get()); }
    void cleanEvent() override {}
    std::shared_ptr<AllocatorState> getCheckpointState(c10::DeviceIndex, MempoolId_t) override { return nullptr; }
    CheckpointDelta setCheckpointPoolState(c10::DeviceIndex, std::shared_ptr<AllocatorState>) override { return {}; }

    void free(void *address) {
        std::lock_guard<std::recursive_mutex> held(lock);
        Block &block = known(address);
        block.live = false;
        count(block, -1);
        tell(TraceEntry::FREE_REQUESTED, block, block.requested);
        tell(TraceEntry::FREE_COMPLETED, block, block.requested);
    }

 private:
    static void give(void *block);

    static std::vector<StatArray *> arrays(DeviceStats &of) { return {&of.allocation, &of.segment, &of.active, &of.allocated_bytes, &of.reserved_bytes, &of.active_bytes, &of.requested_bytes}; }

    Block &known(void *address) {
        auto found = blocks.find(address);
        TORCH_CHECK(found != blocks.end(), "invalid device pointer: ", address);
        return found->second;
    }

    /* As native does, a block that somebody else made up would be read as one: here it is refused. */
    Block *is_known(void *record) {
        for (auto &one : blocks) {
            if (&one.second == record) return &one.second;
        }
        TORCH_CHECK(false, "invalid block pointer");
    }

    static void add(StatArray &to, int64_t change) {
        for (size_t kind : {size_t(0), size_t(2)}) {
            to[kind].current += change;
            to[kind].peak = std::max(to[kind].peak, to[kind].current);
            (change > 0 ? to[kind].allocated : to[kind].freed) += change > 0 ? change : -change;
        }
    }

    void count(const Block &block, int sign) {
        DeviceStats &of = stats[size_t(block.device)];
        add(of.allocation, sign);
        add(of.active, sign);
        add(of.allocated_bytes, sign * int64_t(block.segment));
        add(of.active_bytes, sign * int64_t(block.segment));
        add(of.requested_bytes, sign * int64_t(block.requested));
    }

    void tell(TraceEntry::Action action, const Block &block, size_t bytes) {
        if (tracker) tracker(TraceEntry(action, block.device, reinterpret_cast<int64_t>(block.address), bytes, block.stream));
    }

    void *take(int device, size_t bytes, aclrtStream stream) {
        std::lock_guard<std::recursive_mutex> held(lock);
        MempoolId_t pool{0, 0};
        for (auto &open : pools) {
            if (open.second(stream)) pool = open.first;
        }
        size_t segment = (bytes + PAGE - 1) / PAGE * PAGE;
        Block *block = cached(device, segment, stream, pool);
        if (block == nullptr) block = call_back(device) ? cached(device, segment, stream, pool) : nullptr;
        if (block == nullptr) block = made(device, segment, stream, pool);
        if (block == nullptr) {
            stats[size_t(device)].num_alloc_retries++;
            release_free(device);
            block = made(device, segment, stream, pool);
        }
        if (block == nullptr) fail(device, bytes);
        block->live = true;
        block->requested = bytes;
        count(*block, 1);
        tell(TraceEntry::ALLOC, *block, bytes);
        return block->address;
    }

    Block *cached(int device, size_t segment, aclrtStream stream, MempoolId_t pool) {
        for (auto &entry : blocks) {
            Block &one = entry.second;
            if (!one.live && one.device == device && one.segment == segment && one.stream == stream && one.pool == pool) return &one;
        }
        return nullptr;
    }

    bool call_back(int) {
        bool freed = false;
        for (const auto &name : FreeNPUMemoryCallbacksRegistry()->Keys()) freed |= FreeNPUMemoryCallbacksRegistry()->Create(name)->Execute();
        return freed;
    }

    Block *made(int device, size_t segment, aclrtStream stream, MempoolId_t pool) {
        size_t free_bytes = 0, total = 0;
        aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total);
        if (stats[size_t(device)].reserved_bytes[0].current + double(segment) > fractions[size_t(device)] * double(total)) return nullptr;
        aclrtPhysicalMemProp prop{0, 0, ACL_HBM_MEM_HUGE, {uint32_t(device), 1}, 0};
        Block block{device, nullptr, segment, 0, stream, pool, nullptr, false, nullptr};
        if (aclrtMallocPhysical(&block.handle, segment, &prop, 0) != ACL_ERROR_NONE) return nullptr;
        TORCH_CHECK(aclrtReserveMemAddress(&block.address, segment, 0, nullptr, 1) == ACL_ERROR_NONE, "no address");
        TORCH_CHECK(aclrtMapMem(block.address, segment, 0, block.handle, 0) == ACL_ERROR_NONE, "not mapped");
        add(stats[size_t(device)].segment, 1);
        add(stats[size_t(device)].reserved_bytes, int64_t(segment));
        tell(TraceEntry::SEGMENT_ALLOC, block, segment);
        return &(blocks[block.address] = block);
    }

    void release_free(int device) {
        std::lock_guard<std::recursive_mutex> held(lock);
        for (auto at = blocks.begin(); at != blocks.end();) {
            Block &one = at->second;
            if (one.live || one.device != device || one.pool != MempoolId_t{0, 0}) {
                ++at;
                continue;
            }
            aclrtUnmapMem(one.address);
            aclrtFreePhysical(one.handle);
            aclrtReleaseMemAddress(one.address);
            add(stats[size_t(device)].segment, -1);
            add(stats[size_t(device)].reserved_bytes, -int64_t(one.segment));
            tell(TraceEntry::SEGMENT_FREE, one, one.segment);
            at = blocks.erase(at);
        }
    }

    static std::string mib(double bytes) {
        std::ostringstream text;
        text.setf(std::ios::fixed);
        text.precision(2);
        text << bytes / (1 << 20) << " MiB";
        return text.str();
    }

    [[noreturn]] void fail(int device, size_t bytes) {
        DeviceStats &of = stats[size_t(device)];
        of.num_ooms++;
        size_t free_bytes = 0, total = 0;
        aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total);
        for (auto &one : observers) one(device, int64_t(bytes), int64_t(total), int64_t(free_bytes));
        TORCH_CHECK_WITH(OutOfMemoryError, false, "NPU out of memory. Tried to allocate ", mib(double(bytes)), " (NPU ", device, "; ", mib(double(total)),
                         " total capacity; ", mib(double(of.allocated_bytes[0].current)), " already allocated; ", mib(double(of.active_bytes[0].current)),
                         " current active; ", mib(double(free_bytes)), " free; ", mib(double(of.reserved_bytes[0].current)), " reserved in total by PyTorch)");
    }

    std::recursive_mutex lock;
    bool is_initialized = false;
    std::map<void *, Block> blocks;
    std::map<MempoolId_t, std::function<bool(aclrtStream)>> pools;
    std::array<double, DEVICES> fractions{1, 1};
    std::array<DeviceStats, DEVICES> stats;
    std::vector<OutOfMemoryObserver> observers;
    AllocatorTraceTracker tracker;
};

} // namespace npu_standin
