// torch_npu on Ascend, by its public headers (torch_npu/include). Never run on an NPU: see docs/pluggable.md.
#ifndef LACUNA_FRONT_PLATFORM_NPU_H
#define LACUNA_FRONT_PLATFORM_NPU_H

#include "torch_npu/csrc/core/npu/NPUCachingAllocator.h"
#include "torch_npu/csrc/core/npu/NPUFunctions.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

#include <cstdlib>

#include "lacuna.h"

namespace c10_npu::NPUCachingAllocator {

/* Hands everything on. The names of types in the generated members are those of this namespace, and of c10 for what is inherited. */
class Forwarding : public NPUAllocator {
 public:
    using DataPtr = c10::DataPtr;
    using DeleterFnPtr = c10::DeleterFnPtr;
    explicit Forwarding(NPUAllocator *before) : native(before) {}
#include "forwards.inc"
    NPUAllocator *const native;
};

} // namespace c10_npu::NPUCachingAllocator

namespace lacuna {

namespace caching = c10_npu::NPUCachingAllocator;

using Native = caching::NPUAllocator;
using Stream = c10_npu::NPUStream;
using StreamHandle = aclrtStream;
using PoolId = c10_npu::MempoolId_t;

namespace platform {

constexpr int BACKEND = LACUNA_BACKEND_ASCEND;
constexpr c10::DeviceType KIND = c10::DeviceType::PrivateUse1;

inline c10::DeviceIndex device_count() { return c10_npu::device_count(); }
inline c10::DeviceIndex current_device() {
    int32_t device = 0;
    TORCH_CHECK(c10_npu::GetDevice(&device) == ACL_ERROR_NONE, "no NPU is current");
    return static_cast<c10::DeviceIndex>(device);
}
inline void set_device(c10::DeviceIndex device) { TORCH_CHECK(c10_npu::SetDevice(device) == ACL_ERROR_NONE, "NPU ", int(device), " cannot be set"); }
inline void set_device_back(c10::DeviceIndex device) { aclrtSetDevice(device); }
/* Without waiting for its task queue: a request is no operation. */
inline StreamHandle handle_of(Stream stream) { return stream.stream(false); }
inline StreamHandle current_stream(c10::DeviceIndex device) { return handle_of(c10_npu::getCurrentNPUStream(device)); }
inline bool memory(size_t *free, size_t *total) { return aclrtGetMemInfo(ACL_HBM_MEM, free, total) == ACL_ERROR_NONE; }
/* What waits in the task queue is not on the device yet: by the framework's own means. */
inline bool synchronize() { return c10_npu::npuSynchronizeDevice(false); }

inline bool copy(void *to, const void *from, size_t bytes, StreamHandle stream) {
    return aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream) == ACL_ERROR_NONE;
}

inline bool caches(Native *) {
    static const char *const without = std::getenv("PYTORCH_NO_NPU_MEMORY_CACHING"); /* 0 or 1 */
    return without == nullptr || *without == '0';
}

/* A capture is known by the filter of the pool that it opens, which asks the runtime itself. */
inline bool is_capturing(StreamHandle) { return false; }

inline void trace_allocation(void *) {} /* its sanitizer is torch_npu's own, and hears of native's blocks alone */
inline void trace_free(void *) {}

} // namespace platform

} // namespace lacuna

#endif
