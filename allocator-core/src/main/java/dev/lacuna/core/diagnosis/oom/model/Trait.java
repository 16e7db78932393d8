package dev.lacuna.core.diagnosis.oom.model;

/** What the lines around a report tell of where it was printed: by paths, launchers' names and words of other layers. */
public enum Trait {
    /** Gradients, an optimizer, a trainer. */
    TRAINS,
    /** A server, a user interface or a script that answers requests. */
    SERVES,
    VLLM,
    /** vLLM's sibling for pictures, videos and speech, which options for a language model's cache do not reach. */
    VLLM_OMNI,
    SGLANG,
    /** Hugging Face's text generation inference. */
    TGI,
    /** NVIDIA's inference server, not the compiler of that name. */
    TRITON,
    LMDEPLOY,
    TENSORRT_LLM,
    LLAMA_CPP,
    /** llama.cpp built for AMD, whose older messages speak of CUDA all the same. */
    GGML_ROCM,
    OLLAMA,
    /** llama.cpp of before 2025, by names of its functions; what is made of it had fewer settings then. */
    OLDER_LLAMA,
    /** A program with nodes or a web page around a diffusion model. */
    IMAGE_UI,
    /** A trainer's own evaluation or prediction, by lines of its code that only a traceback prints. */
    EVALUATES,
    /** A trainer whose samples are packed to one length. */
    PACKED,
    /** A build of bitsandbytes that quantises nothing on a device. */
    BITSANDBYTES_ON_HOST,
    /** One that is configured by a file. */
    INVOKEAI,
    /** One that moves what does not fit to the host by itself. */
    FORGE,
    COMFYUI,
    DIFFUSERS,
    /** llama.cpp inside a program in Python, which has no command line. */
    LLAMA_CPP_PYTHON,
    WHISPER,
    /** Paths of Windows. */
    WINDOWS,
    /** Paths of macOS. */
    MACOS,
    SLURM,
    KUBERNETES,
    DOCKER,
    RAY,
    TPU,
    ROCM,
    NVIDIA,
    ASCEND,
    INTEL,
    /** PyTorch on XLA, which knows none of JAX's variables. */
    TORCH_XLA,
    /** JAX by its own name, beside which XLA runs under PyTorch and TensorFlow too. */
    JAX,
    /** PyTorch, where a message below it could be another's. */
    TORCH,
    /** MindFormers, which is configured by files of its own. */
    MINDFORMERS,
    /** Ascend's collectives. */
    HCCL,
    JULIA,
    /** A program in Rust on PyTorch's library or on its own. */
    RUST,
    /** TensorFlow before 2.4 or CUDA before 11, which have no asynchronous allocator. */
    WITHOUT_ASYNC,
    /** TensorFlow 1, whose sessions newer settings do not reach. */
    TENSORFLOW_1,
    /** Linux on Windows. */
    WSL,
    MEGATRON,
    /** Hugging Face's trainer, and what is made of it, all of which have its arguments. */
    HF_TRAINER,
    /** kohya's scripts for diffusion models. */
    SD_SCRIPTS,
    ULTRALYTICS,
    AXOLOTL,
    /** OpenMMLab's runner. */
    MMENGINE,
    MINDSPEED,
    DEEPSPEED,
    /** A trainer that people start and do not write, of whose arguments none is known here. */
    STARTED,
    /** Weights of 8 or 4 bits, by the name of a model's file. */
    QUANTISED,
    /** llama.cpp asked for what it computes in, not for weights or a cache. */
    COMPUTE_BUFFER,
    /** Cards whose arithmetic has no bfloat16: V100, T4 and older. */
    WITHOUT_BF16,
    /** Cards that have it. */
    WITH_BF16,
    /** llama.cpp asked for its key-value cache, which is as large as the context that was asked for. */
    CACHE_BUFFER,
    DATA_LOADER,
    /** llama.cpp inside KoboldCpp, whose options have names of their own. */
    KOBOLD,
    /** A module whose host and device share one memory, and whose driver lists no processes. */
    JETSON,
    /** A notebook on somebody else's machines: Colab, Kaggle, AI Studio. */
    NOTEBOOK_SERVICE,
    /** A trainer that generates with an engine on the devices that it trains on. */
    COLOCATED,
    /** A script that has the parts of a pipeline take turns on the device already. */
    MODEL_OFFLOADED,
    /** Work on pictures, of which nothing is a sequence. */
    PICTURES,
    /** Every batch that a device is said to get has one sample. */
    BATCH_OF_ONE
}
