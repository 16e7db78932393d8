// PyTorch on CUDA.
#ifndef LACUNA_FRONT_PLATFORM_CUDA_H
#define LACUNA_FRONT_PLATFORM_CUDA_H

#include <c10/core/impl/GPUTrace.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include "lacuna.h"

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

namespace caching = c10::cuda::CUDACachingAllocator;

using Native = caching::CUDAAllocator;
using Stream = c10::cuda::CUDAStream;
using StreamHandle = cudaStream_t;
using PoolId = c10::cuda::MempoolId_t;

namespace platform {

constexpr int BACKEND = LACUNA_BACKEND_CUDA;
constexpr c10::DeviceType KIND = c10::DeviceType::CUDA;

inline c10::DeviceIndex device_count() { return c10::cuda::device_count(); }

/* PyTorch's own costs as much again for the check of its answer, with each request. What fails is asked again by it, which says why. */
template <class Index> auto ask_device(Index *device, int) -> decltype(c10::cuda::GetDevice(device)) { return c10::cuda::GetDevice(device); }
template <class Index> cudaError_t ask_device(Index *, long) { return cudaErrorUnknown; } /* before 2.2 */
inline c10::DeviceIndex current_device() {
    c10::DeviceIndex device;
    return C10_LIKELY(ask_device(&device, 0) == cudaSuccess) ? device : static_cast<c10::DeviceIndex>(c10::cuda::current_device());
}

inline void set_device(c10::DeviceIndex device) { c10::cuda::set_device(device); }
inline void set_device_back(c10::DeviceIndex device) { cudaSetDevice(device); } /* never throws */

/* The default one has number 0 and no handle; for that PyTorch changes the device and back. */
inline StreamHandle current_stream(c10::DeviceIndex device) {
    c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream(device);
    return C10_LIKELY(stream.id() == 0) ? nullptr : stream.stream();
}

inline StreamHandle handle_of(Stream stream) { return stream.stream(); }
inline bool memory(size_t *free, size_t *total) { return cudaMemGetInfo(free, total) == cudaSuccess; }
inline bool synchronize() { return cudaDeviceSynchronize() == cudaSuccess; }
inline bool caches(Native *native) { return native->isEnabled(); }

inline bool copy(void *to, const void *from, size_t bytes, StreamHandle stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess;
}

inline bool is_capturing(StreamHandle stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

/* What sanitizers of the framework are told by native, too. */
inline void trace_allocation(void *block) {
    const c10::impl::PyInterpreter *interpreter = c10::impl::GPUTrace::get_trace();
    if (C10_UNLIKELY(interpreter != nullptr)) (*interpreter)->trace_gpu_memory_allocation(c10::kCUDA, reinterpret_cast<uintptr_t>(block));
}

inline void trace_free(void *block) {
    const c10::impl::PyInterpreter *interpreter = c10::impl::GPUTrace::get_trace();
    if (C10_UNLIKELY(interpreter != nullptr)) (*interpreter)->trace_gpu_memory_deallocation(c10::kCUDA, reinterpret_cast<uintptr_t>(block));
}

} // namespace platform

} // namespace lacuna

#endif
