#pragma once

#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace c10_npu {

C10_NPU_API c10::DeviceIndex device_count() noexcept;
C10_NPU_API aclError GetDevice(int32_t *device);
C10_NPU_API aclError SetDevice(c10::DeviceIndex device);

} // namespace c10_npu
