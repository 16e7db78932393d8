package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The words that tell of each trait, case by case as they are printed: a new one is one more word here. */
final class TraitWords {
    static final Map<Trait, List<String>> WORDS = new EnumMap<>(Trait.class);

    static {
        WORDS.put(
                Trait.TRAINS,
                List.of(
                        "llamafactory-cli train",
                        "mlx_lm.lora",
                        "mlx_lm lora",
                        "lora.py --train",
                        "mlx_lm.tuner",
                        ".backward(",
                        "autograd/__init__.py",
                        "optimizer.step",
                        "optimizer_step",
                        "torch/optim/",
                        "trainer.train",
                        "trainer.fit",
                        "training_step",
                        "train_step",
                        "train_epoch",
                        "/train.py",
                        "train.py\"",
                        " train.py",
                        "pretrain_gpt",
                        "llamafactory/train",
                        "run_exp()",
                        "finetune",
                        "fine_tune",
                        "transformers/trainer",
                        "pytorch_lightning/",
                        "lightning/pytorch",
                        "megatron/training",
                        "deepspeed/runtime/engine",
                        "model.fit(",
                        "keras/engine/training",
                        "main training loop",
                        "TrainProcess",
                        "_trainer/",
                        "autotrain.trainers",
                        "autotrain/trainers",
                        "chainer/training",
                        "grad_norm",
                        "'loss': ",
                        "train_loader",
                        "train_dataloader",
                        "tools/train",
                        "accelerate launch",
                        "accelerate/commands/launch",
                        "accelerate\\commands\\launch",
                        "gradient_accumulation_steps",
                        "--train_batch_size",
                        "--max_train_steps",
                        "Starting training",
                        "Start training",
                        "Starting Training",
                        "train_loss",
                        "Epoch: [",
                        "Epoch [",
                        "Training Epoch"));
        WORDS.put(
                Trait.SERVES,
                List.of(
                        "an inference error",
                        "uvicorn",
                        "gunicorn",
                        "gradio/",
                        "fastapi",
                        "xinference",
                        "model.generate(",
                        "language.generate(",
                        "gpt.generate(",
                        "lm.generate(",
                        "pipe.generate(",
                        "torch.inference_mode",
                        "API server",
                        "/inference.py",
                        "/predict.py",
                        "generate_video",
                        "generate_image",
                        "DynamicSwap_",
                        "mindie",
                        "cli_demo.py",
                        "web_demo.py",
                        "diffusion_engine.py",
                        "diffusion_worker.py",
                        "MindIE",
                        "org.pytorch.serve",
                        "demo.py",
                        "/infer.py",
                        "/sample.py",
                        "/generate.py",
                        "_forward_generate",
                        "Sampling captions",
                        "magic-pdf",
                        "magic_pdf",
                        "127.0.0.1:7860",
                        "localhost:7860",
                        "Running on local URL",
                        "Starting the web UI",
                        "oobabooga",
                        "text-generation-webui",
                        "BaseQuantizeConfig",
                        "quantized_model_dir",
                        "model.quantize(",
                        "llmcompressor"));
        WORDS.put(
                Trait.VLLM,
                List.of(
                        "vllm.entrypoints",
                        "vllm.engine",
                        "warming up sampler",
                        "vllm/",
                        "vllm\\",
                        "vllm_",
                        "vllm-ascend",
                        "vllm version",
                        "vLLM version",
                        "vllm==",
                        "with vllm",
                        "with vLLM",
                        "using vllm",
                        "using vLLM",
                        "VllmWorker",
                        "(EngineCore",
                        "(Worker_TP",
                        "(APIServer",
                        "vllm serve",
                        "vLLM init",
                        "[engine.py:",
                        "[async_llm_engine.py:",
                        "[multiproc_executor.py:",
                        "[gpu_model_runner.py:",
                        "RayWorkerWrapper pid=",
                        "RayWorkerVllm",
                        "multiproc_worker_utils.py",
                        "err_execute_model_input"));
        WORDS.put(
                Trait.VLLM_OMNI,
                List.of("vllm_omni", "vllm-omni", "async_omni", "AsyncOmni", "stage_diffusion_client"));
        WORDS.put(Trait.OLDER_LLAMA, List.of("llm_load_tensors", "llm_load_print_meta", "llama_init_from_gpt_params"));
        WORDS.put(
                Trait.SGLANG,
                List.of(
                        "sglang worker",
                        "KV Cache allocated. #tokens",
                        "KV Cache is allocated. #tokens",
                        "avail mem=",
                        "sglang/",
                        "sglang.",
                        "sglang::",
                        "--mem-fraction-static"));
        WORDS.put(
                Trait.TGI,
                List.of(
                        "text_generation_server",
                        "text_generation_launcher",
                        "text_generation_client",
                        "text-generation-launcher"));
        WORDS.put(Trait.GGML_ROCM, List.of(" ROCm devices:", "ROCm0"));
        WORDS.put(
                Trait.TRITON,
                List.of(
                        "tritonserver",
                        "model_lifecycle.cc",
                        "model_repository_manager.cc",
                        "launch_triton_server",
                        "modelInstanceState"));
        WORDS.put(Trait.LMDEPLOY, List.of("lmdeploy", "turbomind", "[TM]["));
        WORDS.put(
                Trait.OLLAMA,
                List.of("ollama", "llama runner process", "source=runner.go:", "source=sched.go:", "llamarunner"));
        WORDS.put(
                Trait.COMFYUI,
                List.of(
                        "KSampler",
                        "ComfyUI",
                        "comfy/",
                        "comfy\\",
                        "/comfyui/",
                        "\\comfyui\\",
                        "Prompt executed in ",
                        "TIPS: If the workflow worked before",
                        "!!! Exception during processing !!!",
                        "Got an OOM, unloading all loaded models"));
        WORDS.put(
                Trait.DIFFUSERS,
                List.of(
                        "diffusers/pipelines",
                        "diffusers/models/",
                        "diffusers\\models\\",
                        "diffusers\\pipelines",
                        "Pipeline.from_pretrained(",
                        "pipe.enable_",
                        "pipe.vae.",
                        "FluxPipeline",
                        "DiffusionPipeline",
                        "Img2ImgPipeline",
                        "diffusers/models/autoencoders",
                        "diffusers\\models\\autoencoders",
                        "autoencoder_kl",
                        "decode_first_stage",
                        "decode_latents"));
        WORDS.put(Trait.TENSORRT_LLM, List.of("TRT-LLM", "TensorRT-LLM", "tensorrt_llm"));
        WORDS.put(
                Trait.LLAMA_CPP,
                List.of(
                        "ggml_",
                        "llama_model_load",
                        "llama_context",
                        "llama_kv_cache",
                        "llama_init",
                        "llama_new_context_with_model",
                        "llama-server",
                        "llama-cli",
                        "llama-bench",
                        "llama.cpp"));
        WORDS.put(
                Trait.IMAGE_UI,
                List.of(
                        "stable-diffusion-webui",
                        "Stable diffusion model failed to load",
                        "--opt-split-attention",
                        "--opt-sdp-",
                        "--medvram",
                        "--no-half",
                        "webui-user",
                        "sd.webui",
                        "xformers: 0.",
                        "gradio: 3.",
                        "webui.py",
                        "webui\\modules",
                        "webui/modules",
                        "webui\\extensions",
                        "webui/extensions",
                        "Fooocus",
                        "invokeai",
                        "InvokeAI",
                        "[Memory Management] Target:",
                        "high res fix",
                        "hires fix",
                        "Hires. fix"));
        WORDS.put(
                Trait.EVALUATES,
                List.of(
                        "predict_results = trainer.predict(",
                        "output = eval_loop(",
                        "eval_loop = self.prediction_loop"));
        WORDS.put(
                Trait.STARTED,
                List.of(
                        "fairseq",
                        "espnet",
                        "torchtune",
                        "_finetune_distributed.py",
                        "nnunetv2",
                        "nnUNet",
                        "detectron2/",
                        "tools/train.py",
                        "swift/cli",
                        "swift sft",
                        "megatron sft",
                        "nemo_automodel",
                        "nemo/collections",
                        "parlai/",
                        "train_ppo",
                        "open_instruct/",
                        "nsloth",
                        "train_text_to_image",
                        "train_dreambooth",
                        "train_controlnet",
                        "ns-train",
                        "gaussian-splatting"));
        WORDS.put(Trait.PACKED, List.of("torchtitan/"));
        WORDS.put(Trait.BITSANDBYTES_ON_HOST, List.of("bitsandbytes was compiled without GPU support"));
        WORDS.put(Trait.INVOKEAI, List.of("invokeai", "InvokeAI"));
        WORDS.put(Trait.FORGE, List.of("[Memory Management] Target:", "webui-forge", "WebUI Forge", "webui_forge"));
        WORDS.put(Trait.WHISPER, List.of("whisper", "Whisper"));
        WORDS.put(
                Trait.WINDOWS,
                List.of(
                        "C:\\",
                        "D:\\",
                        "E:\\",
                        "F:\\",
                        "G:\\",
                        "H:\\",
                        "c:\\",
                        "d:\\",
                        "e:\\",
                        "f:\\",
                        "C:/Users",
                        "site-packages\\",
                        "WinError",
                        "\\c10\\",
                        "\\aten\\",
                        ".dll",
                        "\\Users\\",
                        "--windows-standalone-build",
                        "[MSC v.",
                        ".exe"));
        WORDS.put(Trait.MACOS, List.of("/Users/", "/opt/homebrew", "MPS backend"));
        WORDS.put(
                Trait.SLURM,
                List.of(
                        "slurmstepd:",
                        "srun:",
                        "slurm_script",
                        "SLURM_",
                        "sbatch",
                        "slurmd/",
                        "/slurm/uid_",
                        "slurmstepd.scope"));
        WORDS.put(
                Trait.KUBERNETES,
                List.of(
                        "kubectl",
                        "command terminated with exit code",
                        "OOMKilled",
                        "OOMKilling",
                        "kubepods",
                        "kubelet",
                        "[pod/",
                        "KUBERNETES_",
                        "Restart Count:"));
        WORDS.put(Trait.DOCKER, List.of("docker", "containerd", "/.dockerenv"));
        WORDS.put(
                Trait.RAY,
                List.of("(raylet)", "ray::", "ray/_private", "ray.exceptions", "raylet.out", "ray.memory_monitor"));
        WORDS.put(
                Trait.TPU,
                List.of(
                        "XLA:TPU",
                        "TpuDevice",
                        "_HBM0",
                        "memory space hbm",
                        "memory space vmem",
                        "memory space smem",
                        "TPU v"));
        WORDS.put(
                Trait.ROCM,
                List.of("rocm_driver", "rocm/", "ROCm", "HIP out", "HIP_ERROR", "hipError", "gfx9", "gfx11", "RCCL"));
        WORDS.put(Trait.NVIDIA, List.of("nvidia", "NVIDIA", "CUDA_", "cuda_driver", "cudaMalloc", "NVRM", "GPU_0_bfc"));
        WORDS.put(Trait.ASCEND, List.of("torch_npu", "vllm_ascend", "vllm-ascend", "Ascend", "ascend", "NPU out"));
        WORDS.put(
                Trait.INTEL,
                List.of(
                        "level_zero",
                        "level zero",
                        "UR_RESULT",
                        "ZE_RESULT",
                        "sycl",
                        "SYCL",
                        "Intel(R) Arc",
                        "torch.xpu"));
        WORDS.put(
                Trait.TORCH_XLA,
                List.of(
                        "torch_xla",
                        "xla:0",
                        "xla:1",
                        "xla_model",
                        "_XLAC",
                        "xla/xla_client/",
                        "XRTExecute",
                        "XRTCompile"));
        WORDS.put(Trait.JAX, List.of("jax/", "jaxlib", "jax.", "XlaRuntimeError", "flax/"));
        WORDS.put(
                Trait.TORCH,
                List.of(
                        "torch_npu",
                        "torch/",
                        "torch\\",
                        "import torch",
                        "torch.distributed",
                        "torch.cuda",
                        "PTA call acl",
                        "ProcessGroupNCCL",
                        "CUDACachingAllocator",
                        "PyTorch",
                        "by PyTorch"));
        WORDS.put(Trait.MINDFORMERS, List.of("mindformers", "MindFormers", "run_mindformer"));
        WORDS.put(Trait.HCCL, List.of("HCCL", "Hccl", "hccl"));
        WORDS.put(
                Trait.RUST,
                List.of(
                        "Tch tensor error",
                        "/tch-",
                        "tch-rs",
                        "torch-sys",
                        ".cargo/",
                        "src/main.rs",
                        "rust-bert",
                        "candle"));
        WORDS.put(
                Trait.TENSORFLOW_1,
                List.of(
                        "tensorflow/python/client/session",
                        "[[Node: ",
                        "}} = ",
                        "self._session, options",
                        "_call_tf_sessionrun",
                        "(see above for traceback)",
                        "tf.Session"));
        WORDS.put(
                Trait.LLAMA_CPP_PYTHON,
                List.of(
                        "Failed to create llama_context",
                        "llama_cpp_python",
                        "llama-cpp-python",
                        "LlamaCpp(",
                        "llama_cpp/",
                        "llama_cpp.",
                        "Llama("));
        WORDS.put(Trait.WSL, List.of("WSL2", "microsoft-standard", "/mnt/c/", "/mnt/d/"));
        WORDS.put(Trait.JULIA, List.of(".julia/", ".jl:", "LoadError:"));
        WORDS.put(Trait.MEGATRON, List.of("megatron/", "pretrain_gpt", "megatron.core"));
        WORDS.put(
                Trait.HF_TRAINER,
                List.of(
                        "transformers/trainer.py",
                        "transformers\\trainer.py",
                        "llamafactory/train",
                        "LLaMA-Factory",
                        "trl/trainer/sft",
                        "--per_device_train_batch_size"));
        WORDS.put(Trait.SD_SCRIPTS, List.of("sd-scripts", "sdxl_train", "train_network.py", "flux_train", "kohya_ss"));
        WORDS.put(
                Trait.ULTRALYTICS,
                List.of("ultralytics/engine", "ultralytics\\engine", "yolo task=", "yolo detect train", "yolo train"));
        WORDS.put(Trait.AXOLOTL, List.of("axolotl/", "axolotl.cli", "axolotl train"));
        WORDS.put(Trait.MMENGINE, List.of("mmengine/runner", "mmengine\\runner"));
        WORDS.put(Trait.MINDSPEED, List.of("mindspeed", "MindSpeed"));
        WORDS.put(
                Trait.DEEPSPEED,
                List.of(
                        "deepspeed/",
                        "train_micro_batch_size_per_gpu",
                        "\"zero_optimization\"",
                        "[deepspeed",
                        "--deepspeed",
                        "deepspeed zero",
                        "deepspeed stage",
                        "ds_config"));
        WORDS.put(
                Trait.QUANTISED,
                List.of(
                        "IQ1_",
                        "IQ2_",
                        "IQ3_",
                        "IQ4_",
                        "Q2_K",
                        "Q3_K",
                        "Q4_",
                        "Q5_",
                        "-AWQ",
                        "_AWQ",
                        "-awq",
                        "GPTQ",
                        "gptq",
                        "4bit",
                        "4-bit",
                        "ComfyUI-GGUF",
                        "-int4",
                        "-Int4",
                        "_nf4",
                        "-nf4",
                        "-FP8",
                        "-fp8",
                        " FP8 "));
        WORDS.put(
                Trait.COMPUTE_BUFFER,
                List.of("ggml_gallocr_reserve", "allocate compute", "compute_pp", "compute buffers"));
        WORDS.put(
                Trait.WITHOUT_BF16,
                List.of(
                        "V100",
                        "Tesla T4",
                        "T4 GPU",
                        "P100",
                        "Tesla K80",
                        "Tesla P40",
                        "GTX 10",
                        "GTX 16",
                        "GTX10",
                        "1080 Ti",
                        "1080Ti",
                        "1080TI",
                        "RTX 20",
                        "RTX20",
                        "2080 Ti",
                        "2080Ti",
                        "2080TI",
                        "TITAN V",
                        "TITAN X",
                        "Titan X",
                        "TITAN RTX"));
        WORDS.put(
                Trait.WITH_BF16,
                List.of(
                        "A100", "A800", "H100", "H800", "H200", "H20 ", "B200", "A6000", "A10G", "L40", "RTX 30",
                        "RTX 40", "RTX 50", "RTX30", "RTX40", "RTX50", "3090", "4090", "5090", "MI250", "MI300"));
        WORDS.put(Trait.CACHE_BUFFER, List.of("failed to allocate buffer for kv cache"));
        WORDS.put(
                Trait.WITHOUT_ASYNC,
                List.of(
                        "64_10.dll",
                        "64_100.dll",
                        "64_101.dll",
                        "64_102.dll",
                        "64_90.dll",
                        "cudnn64_7.dll",
                        "libcudart.so.10",
                        "libcudart.so.9",
                        "libcublas.so.10",
                        "libcublas.so.9",
                        "libcudnn.so.7",
                        "tensorflow_core",
                        "tensorflow/contrib",
                        "tf.contrib",
                        "tf.Session"));
        WORDS.put(
                Trait.PICTURES,
                List.of(
                        "ultralytics",
                        "yolov",
                        "YOLO",
                        "detectron",
                        "Detectron",
                        "mmdet",
                        "mmseg",
                        "mmcv/",
                        "mmengine/runner",
                        "nnunet",
                        "nnUNet",
                        "imgsz",
                        "kohya",
                        "sd-scripts",
                        "dreambooth",
                        "Dreambooth",
                        "DreamBooth",
                        "stable-diffusion",
                        "StableDiffusion",
                        "cache latents",
                        "cache_latents",
                        "upsample_nearest2d",
                        "diffusion_engine.py",
                        "diffusion_worker.py",
                        "stage_diffusion_client",
                        "torchvision/models",
                        "PP-OCR",
                        "PaddleOCR",
                        "ppocr/",
                        "PaddleSeg",
                        "PaddleDetection",
                        "ppdet/",
                        "gaussian-splatting",
                        "gaussian_renderer",
                        "gaussian_model.py",
                        "diff_gaussian_rasterization",
                        "max resolution"));
        WORDS.put(
                Trait.BATCH_OF_ONE, // One camera a step.
                List.of("gaussian_renderer", "gaussian_model.py", "diff_gaussian_rasterization"));
        WORDS.put(Trait.KOBOLD, List.of("koboldcpp", "KoboldCpp"));
        WORDS.put(
                Trait.JETSON,
                List.of("NvMap", "Jetson", "jetson", "-tegra", "Tegra", "nvgpu", "Orin AGX", "Orin Nano", "AGX Orin"));
        WORDS.put(
                Trait.NOTEBOOK_SERVICE,
                List.of(
                        "Google Colab",
                        "google colab",
                        "Colab (",
                        "on Colab",
                        "\"/content/",
                        " /content/",
                        "/kaggle/",
                        "/home/aistudio"));
        WORDS.put(
                Trait.COLOCATED,
                List.of(
                        "ActorModelRayActor",
                        "LLMRayActor",
                        "OpenRLHF",
                        "openrlhf",
                        "verl/",
                        "verl.",
                        "slime/",
                        "ActorRolloutRef",
                        "colocate",
                        "grpo_trainer",
                        "GRPOTrainer",
                        "online_dpo"));
        WORDS.put(Trait.MODEL_OFFLOADED, List.of("enable_model_cpu_offload()"));
        WORDS.put(
                Trait.DATA_LOADER,
                List.of(
                        "multiprocessing\\spawn",
                        "multiprocessing/spawn",
                        "DataLoader",
                        "dataloader",
                        "_utils/worker.py",
                        "_utils/fetch.py",
                        "pin_memory"));
    }

    private TraitWords() {}
}
