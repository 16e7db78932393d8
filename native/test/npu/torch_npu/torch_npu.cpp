// A torch_npu that has the allocator, streams, and as much of tensors that they can be made and freed: on the stand-in of AscendCL.
#include "native.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

extern "C" {
#include "standin.h"
}

namespace {

thread_local int32_t device_now = 0;
thread_local std::map<int, c10::StreamId> streams_now;

struct StreamTable {
    std::mutex lock;
    std::vector<aclrtStream> handles{nullptr}; // by id; the default stream is no handle
};

StreamTable &table() {
    static StreamTable *one = new StreamTable;
    return *one;
}

npu_standin::NativeAllocator *native() {
    static auto *one = new npu_standin::NativeAllocator;
    return one;
}

c10::Stream stream_with(c10::DeviceIndex device, c10::StreamId id) {
    return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::DeviceType::PrivateUse1, device), id);
}

} // namespace

void npu_standin::NativeAllocator::give(void *block) {
    if (block != nullptr) native()->free(block);
}

namespace c10_npu {

aclrtStream NPUStream::stream() const { return stream(true); }
aclrtStream NPUStream::stream(const bool) const {
    std::lock_guard<std::mutex> held(table().lock);
    return table().handles[size_t(stream_.id())];
}
NPUStream getCurrentNPUStream(c10::DeviceIndex device) {
    if (device < 0) device = c10::DeviceIndex(device_now);
    return NPUStream(stream_with(device, streams_now[device]));
}
bool npuSynchronizeDevice(bool) { return aclrtSynchronizeDevice() == ACL_ERROR_NONE; }
c10::DeviceIndex device_count() noexcept {
    uint32_t count = 0;
    aclrtGetDeviceCount(&count);
    return c10::DeviceIndex(count);
}
aclError GetDevice(int32_t *device) {
    *device = device_now;
    return aclrtSetDevice(device_now);
}
aclError SetDevice(c10::DeviceIndex device) {
    device_now = device;
    return aclrtSetDevice(device);
}

namespace NPUCachingAllocator {
C10_DEFINE_REGISTRY(FreeNPUMemoryCallbacksRegistry, FreeMemoryCallback);
std::atomic<NPUAllocator *> allocator{native()};
} // namespace NPUCachingAllocator

// ---------------------------------------------------------------- for the dispatcher

class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
    static constexpr c10::DeviceType static_type = c10::DeviceType::PrivateUse1;
    c10::DeviceType type() const override { return static_type; }
    c10::Device exchangeDevice(c10::Device to) const override {
        c10::Device before = getDevice();
        SetDevice(to.index());
        return before;
    }
    c10::Device getDevice() const override { return c10::Device(static_type, c10::DeviceIndex(device_now)); }
    void setDevice(c10::Device to) const override { SetDevice(to.index()); }
    void uncheckedSetDevice(c10::Device to) const noexcept override { SetDevice(to.index()); }
    c10::Stream getStream(c10::Device of) const override { return getCurrentNPUStream(of.index()).unwrap(); }
    c10::Stream getDefaultStream(c10::Device of) const override { return stream_with(of.index(), 0); }
    c10::Stream getNewStream(c10::Device of, int = 0) const override {
        aclrtStream made = nullptr;
        SetDevice(of.index());
        TORCH_CHECK(aclrtCreateStream(&made) == ACL_ERROR_NONE, "no stream");
        std::lock_guard<std::mutex> held(table().lock);
        table().handles.push_back(made);
        return stream_with(of.index(), c10::StreamId(table().handles.size() - 1));
    }
    c10::Stream exchangeStream(c10::Stream to) const override {
        c10::Stream before = getStream(to.device());
        streams_now[to.device_index()] = to.id();
        return before;
    }
    c10::DeviceIndex deviceCount() const noexcept override { return device_count(); }
    void synchronizeDevice(const c10::DeviceIndex) const override { npuSynchronizeDevice(); }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

at::Tensor empty(at::IntArrayRef sizes, std::optional<at::ScalarType> kind, std::optional<at::Layout>, std::optional<at::Device> device, std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
    c10::OptionalDeviceGuard guard(device);
    constexpr c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);
    return at::detail::empty_generic(sizes, NPUCachingAllocator::get(), keys, kind.value_or(at::kFloat), format);
}

void record_stream(at::Tensor &tensor, at::Stream stream) {
    NPUCachingAllocator::get()->recordStream(tensor.storage().data_ptr(), NPUStream(stream));
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
    m.impl("empty.memory_format", &empty);
    m.impl("record_stream", &record_stream);
}

} // namespace c10_npu

// ---------------------------------------------------------------- for Python, by ctypes

using c10_npu::NPUCachingAllocator::get;

namespace {

c10::DataPtr &memory_of(void *storage) { return const_cast<c10::DataPtr &>(static_cast<c10::StorageImpl *>(storage)->data_ptr()); }

/* What went wrong in the last call of this thread; empty where nothing did. */
thread_local std::string failure;

template <class Call> void told(Call call) {
    failure.clear();
    try {
        call();
    } catch (const c10::Error &refused) {
        failure = refused.what_without_backtrace();
    }
}

} // namespace

extern "C" {

C10_NPU_API const char *npu_failure(void) { return failure.c_str(); }

// How many rules of AscendCL were broken, and the first of them.
C10_NPU_API unsigned npu_problems(char *text, size_t bytes) { return standin()->problems(text, bytes); }

C10_NPU_API void npu_start(uint64_t bytes) {
    standin()->reset(npu_standin::DEVICES, bytes);
    aclInit(nullptr);
    get()->init(npu_standin::DEVICES);
    c10::SetAllocator(c10::DeviceType::PrivateUse1, get());
}

// allocation, allocated, active, reserved bytes: current and peak of each, then retries and out-of-memories.
C10_NPU_API void npu_statistics(int device, int64_t out[10]) {
    auto of = get()->getDeviceStats(device);
    const c10_npu::NPUCachingAllocator::StatArray *all[] = {&of.allocation, &of.allocated_bytes, &of.active_bytes, &of.reserved_bytes};
    for (int i = 0; i < 4; i++) {
        out[2 * i] = (*all[i])[0].current;
        out[2 * i + 1] = (*all[i])[0].peak;
    }
    out[8] = of.num_alloc_retries;
    out[9] = of.num_ooms;
}

// Segments: count; and of those that are ours (expandable), the bytes of live blocks.
C10_NPU_API int64_t npu_snapshot(int64_t *ours) {
    auto all = get()->snapshot();
    *ours = 0;
    for (const auto &segment : all.segments) {
        for (const auto &block : segment.blocks) *ours += segment.is_expandable && block.allocated ? block.requested_size : 0;
    }
    return int64_t(all.segments.size());
}

C10_NPU_API void npu_empty_cache(void) { get()->emptyCache(true); }
C10_NPU_API void npu_free_device(int device) { get()->FreeDeviceCachedMemory(device); }
C10_NPU_API void npu_reset_peak(int device) { get()->resetPeakStats(device); }
C10_NPU_API void npu_set_fraction(double fraction, int device) { told([&] { get()->setMemoryFraction(fraction, device); }); }
C10_NPU_API double npu_get_fraction(int device) { return get()->getMemoryFraction(device); }

C10_NPU_API int64_t npu_cached(int device) {
    size_t cached = 0, largest = 0;
    get()->cacheInfo(device, &cached, &largest);
    return int64_t(cached);
}

static const c10_npu::MempoolId_t POOL{7, 0};
C10_NPU_API void npu_begin_pool(int device) { get()->beginAllocateToPool(c10::DeviceIndex(device), POOL, [](aclrtStream) { return true; }); }
C10_NPU_API void npu_end_pool(int device) {
    get()->endAllocateToPool(c10::DeviceIndex(device), POOL);
    get()->releasePool(c10::DeviceIndex(device), POOL);
}

// What a collective does with its inputs: remembers the block, ties it to its work, and says later that a stream is done with it.
C10_NPU_API void npu_collective(void *storage) {
    told([&] {
        auto stream = c10_npu::getCurrentNPUStream();
        int work = 0;
        void *record = get()->getBlockPtr(memory_of(storage));
        get()->recordStream(memory_of(storage), stream);
        get()->recordHcclWorkForBlock(record, &work);
        get()->eraseStreamWithBlockPtr(record, stream, &work);
        get()->eraseStream(memory_of(storage), stream);
    });
}

C10_NPU_API int npu_is_safe(void *storage) {
    get()->updateBlockToSafe(memory_of(storage));
    return get()->checkBlockIsSafe(memory_of(storage));
}

C10_NPU_API void npu_share(void *storage) { told([&] { get()->shareIpcHandle(memory_of(storage).get()); }); }
C10_NPU_API void npu_zero_copy(void) { get()->buildServerMemMapForHccl(0, nullptr); }

C10_NPU_API int64_t npu_base(void *storage) {
    size_t bytes = 0;
    get()->getBaseAllocation(memory_of(storage).get(), &bytes);
    return int64_t(bytes);
}

static int observed;
C10_NPU_API int npu_observed(void) { return observed; }
C10_NPU_API void npu_observe(void) {
    get()->attachOutOfMemoryObserver([](int64_t, int64_t, int64_t, int64_t) { observed++; });
}

} // extern "C"
