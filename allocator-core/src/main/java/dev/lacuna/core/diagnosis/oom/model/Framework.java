package dev.lacuna.core.diagnosis.oom.model;

/** Who printed the message. The id is the contract's word. */
public enum Framework {
    PYTORCH_CUDA("pytorch-cuda", Family.TORCH),
    PYTORCH_CUDA_MALLOC_ASYNC("pytorch-cudaMallocAsync", Family.TORCH),
    PYTORCH_ROCM("pytorch-rocm", Family.TORCH),
    PYTORCH_XPU("pytorch-xpu", Family.TORCH),
    IPEX_XPU("ipex-xpu", Family.TORCH),
    PYTORCH_MPS("pytorch-mps", Family.TORCH),
    TORCH_NPU("torch_npu", Family.TORCH),
    TORCH7("torch7-cutorch", Family.TORCH),
    MINDSPORE_ASCEND("mindspore-ascend", Family.MINDSPORE),
    MINDSPORE_GPU("mindspore-gpu", Family.MINDSPORE),
    JAX_XLA("jax-xla", Family.XLA),
    TENSORFLOW("tensorflow", Family.XLA),
    PADDLE("paddle", Family.PADDLE),
    ONNX_RUNTIME("onnxruntime", Family.INFERENCE),
    LLAMA_CPP_CUDA("llama.cpp-cuda", Family.INFERENCE),
    LLAMA_CPP_ROCM("llama.cpp-rocm", Family.INFERENCE),
    ASCEND_RUNTIME("ascend-runtime", Family.RUNTIME),
    VLLM("vllm", Family.INFERENCE),
    /** Anything else, Lacuna's own allocator among it. */
    OTHER("other", Family.OTHER);

    /** Frameworks whose remedies are alike. */
    public enum Family {
        TORCH,
        MINDSPORE,
        XLA,
        PADDLE,
        INFERENCE,
        RUNTIME,
        OTHER
    }

    private final String id;
    private final Family family;

    Framework(String id, Family family) {
        this.id = id;
        this.family = family;
    }

    /** The word used in JSON. */
    public String id() {
        return id;
    }

    /** Which remedies it shares. */
    public Family family() {
        return family;
    }
}
