package dev.lacuna.core.allocator.settings;

import dev.lacuna.core.allocator.caching.CachingOptions;

/** Whose configuration string it is: what a framework's allocator starts from, and which keys it knows beside the common ones. */
public enum ConfDialect {
    /** PyTorch on CUDA or ROCm: {@code PYTORCH_CUDA_ALLOC_CONF}, {@code PYTORCH_HIP_ALLOC_CONF}, {@code PYTORCH_ALLOC_CONF}. */
    PYTORCH,
    /** torch_npu: {@code PYTORCH_NPU_ALLOC_CONF}. */
    TORCH_NPU;

    /** What holds where the string says nothing. */
    public CachingOptions defaults() {
        return this == PYTORCH ? CachingOptions.PYTORCH : CachingOptions.TORCH_NPU;
    }
}
