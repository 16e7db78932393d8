#pragma once

#include <c10/core/Stream.h>

#include "torch_npu/csrc/core/npu/acl.h"

#define C10_NPU_API __attribute__((__visibility__("default")))

namespace c10_npu {

class C10_NPU_API NPUStream {
 public:
    explicit NPUStream(c10::Stream stream) : stream_(stream) {}

    c10::DeviceIndex device_index() const { return stream_.device_index(); }
    c10::Stream unwrap() const { return stream_; }
    operator c10::Stream() const { return stream_; }
    aclrtStream stream() const;                 // waits for the task queue
    aclrtStream stream(const bool need_empty) const; // does not where it is false

 private:
    c10::Stream stream_;
};

C10_NPU_API NPUStream getCurrentNPUStream(c10::DeviceIndex device = -1);
C10_NPU_API bool npuSynchronizeDevice(bool check_error = true);

} // namespace c10_npu
