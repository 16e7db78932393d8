package dev.lacuna.core.diagnosis.remedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.PoolState;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.model.Span;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Every remedy × every framework × every version's message × cause × platform × role × kind of shortage: none is offered to
 * whom it cannot help. What is impossible stands here apart from the code that offers, in terms of what a command says.
 */
class EveryRemedyFitsTest {
    private static final long GIB = 1L << 30;

    /** What a command says, and where it may be said. */
    private record Rule(String says, Predicate<Situation> where, String why) {}

    private record Situation(Evidence evidence, Cause cause) {
        Framework framework() {
            return evidence.report().framework();
        }

        boolean shows(Trait trait) {
            return evidence.surroundings().show(trait);
        }

        boolean host() {
            return evidence.report().isOfHost();
        }

        /** What a server itself prints is about its options, also where a trainer started it. */
        boolean trains() {
            return framework() != Framework.VLLM && mayTrain();
        }

        private boolean mayTrain() {
            return framework().family() != Family.INFERENCE && (shows(Trait.TRAINS) || !shows(Trait.SERVES))
                    || shows(Trait.TRAINS);
        }

        /** Whether the newest PyTorch that prints this message comes before a version, 1.10 as 110. */
        boolean torchBefore(int version) {
            boolean dated = framework() == Framework.PYTORCH_CUDA || framework() == Framework.PYTORCH_ROCM;
            int newest = switch (evidence.report().form()) {
                case CACHED -> 103;
                case RESERVED_IN_TOTAL -> 109;
                case RESERVED_WITH_ADVICE -> 200;
                default -> Integer.MAX_VALUE;
            };
            return dated && newest < version;
        }

        boolean oldTorch() {
            return switch (evidence.report().form()) {
                case CACHED, RESERVED_IN_TOTAL, RESERVED_WITH_ADVICE -> true;
                default -> false;
            };
        }
    }

    private static boolean isCudaTorch(Situation s) {
        return s.framework() == Framework.PYTORCH_CUDA || s.framework() == Framework.PYTORCH_CUDA_MALLOC_ASYNC;
    }

    private static boolean isNpuTorch(Situation s) {
        return s.framework() == Framework.TORCH_NPU || s.framework() == Framework.ASCEND_RUNTIME;
    }

    private static boolean isMindspore(Situation s) {
        return s.framework().family() == Family.MINDSPORE;
    }

    private static final List<Rule> RULES = List.of(
            new Rule(
                    "torch.cuda.",
                    s -> isCudaTorch(s) || s.framework() == Framework.PYTORCH_ROCM,
                    "CUDA's module of torch"),
            new Rule("torch.npu.", EveryRemedyFitsTest::isNpuTorch, "torch_npu's module"),
            new Rule(
                    "torch.xpu.",
                    s -> s.framework() == Framework.PYTORCH_XPU || s.framework() == Framework.IPEX_XPU,
                    "XPU"),
            new Rule("torch.", s -> s.framework().family() == Family.TORCH || isNpuTorch(s), "PyTorch"),
            new Rule("PYTORCH_CUDA_ALLOC_CONF", EveryRemedyFitsTest::isCudaTorch, "CUDA's allocator"),
            new Rule("PYTORCH_HIP_ALLOC_CONF", s -> s.framework() == Framework.PYTORCH_ROCM, "ROCm's allocator"),
            new Rule("PYTORCH_NPU_ALLOC_CONF", s -> s.framework() == Framework.TORCH_NPU, "NPU's allocator"),
            new Rule("PYTORCH_MPS", s -> s.framework() == Framework.PYTORCH_MPS, "Metal"),
            new Rule(
                    "expandable_segments",
                    s -> !s.shows(Trait.WINDOWS)
                            && (s.framework() == Framework.TORCH_NPU
                                    || s.framework() == Framework.PYTORCH_CUDA_MALLOC_ASYNC
                                    || isCudaTorch(s) && !s.oldTorch()),
                    "expandable segments: not on Windows, not before 2.1, not on ROCm"),
            new Rule("nvidia-smi", s -> s.evidence().device().name().equals("NVIDIA"), "NVIDIA's tool"),
            new Rule("rocm-smi", s -> s.evidence().device().name().equals("AMD"), "AMD's tool"),
            new Rule("npu-smi", s -> s.evidence().device().name().equals("ASCEND"), "Ascend's tool"),
            new Rule("xpu-smi", s -> s.evidence().device().name().equals("INTEL"), "Intel's tool"),
            new Rule(
                    "XLA_PYTHON",
                    s -> s.framework() == Framework.JAX_XLA && !s.shows(Trait.TPU) && !s.shows(Trait.TORCH_XLA),
                    "JAX on GPU"),
            new Rule("jax.", s -> s.framework() == Framework.JAX_XLA && !s.shows(Trait.TORCH_XLA), "JAX"),
            new Rule(
                    "TF_GPU_ALLOCATOR",
                    s -> s.framework() == Framework.TENSORFLOW && !s.shows(Trait.ROCM),
                    "TensorFlow on CUDA"),
            new Rule("tf.", s -> s.framework() == Framework.TENSORFLOW, "TensorFlow"),
            new Rule("FLAGS_", s -> s.framework() == Framework.PADDLE, "Paddle"),
            new Rule("mindspore.", EveryRemedyFitsTest::isMindspore, "MindSpore"),
            new Rule("_config: {", EveryRemedyFitsTest::isMindspore, "MindFormers"),
            new Rule("arena_extend", s -> s.framework() == Framework.ONNX_RUNTIME, "ONNX Runtime"),
            new Rule("HCCL_", s -> isNpuTorch(s) || s.framework() == Framework.MINDSPORE_ASCEND, "HCCL"),
            new Rule("--gpu-memory-utilization", s -> s.framework() == Framework.VLLM || s.shows(Trait.VLLM), "vLLM"),
            new Rule("--mem-fraction-static", s -> s.shows(Trait.SGLANG), "SGLang"),
            new Rule("--kv_cache_free", s -> s.shows(Trait.TENSORRT_LLM), "TensorRT-LLM"),
            new Rule("--max-num-seqs", s -> s.framework() == Framework.VLLM || s.shows(Trait.VLLM), "vLLM"),
            new Rule("--max-running-requests", s -> s.shows(Trait.SGLANG), "SGLang"),
            new Rule("--cuda-graph-max-bs", s -> s.shows(Trait.SGLANG), "SGLang"),
            new Rule("--enforce-eager", s -> s.framework() == Framework.VLLM || s.shows(Trait.VLLM), "vLLM"),
            new Rule("--max-batch-prefill-tokens", s -> s.shows(Trait.TGI), "TGI"),
            new Rule("--num-shard", s -> s.shows(Trait.TGI), "TGI"),
            new Rule("instance_group", s -> s.shows(Trait.TRITON), "Triton"),
            new Rule("--cache-max-entry-count", s -> s.shows(Trait.LMDEPLOY), "LMDeploy"),
            new Rule("OLLAMA_", s -> s.shows(Trait.OLLAMA), "Ollama"),
            new Rule("num_gpu", s -> s.shows(Trait.OLLAMA), "Ollama"),
            new Rule("--n-gpu-layers", s -> !s.shows(Trait.OLLAMA), "llama.cpp itself"),
            new Rule(
                    "--ctx-size", s -> !s.shows(Trait.OLLAMA) && (isLlama(s) || s.shows(Trait.LLAMA_CPP)), "llama.cpp"),
            new Rule("--lowvram", s -> s.shows(Trait.COMFYUI), "ComfyUI"),
            new Rule("--disable-cuda-malloc", s -> s.shows(Trait.COMFYUI), "ComfyUI"),
            new Rule("Client(", Situation::host, "Dask's workers"),
            new Rule("--medvram", s -> s.shows(Trait.IMAGE_UI), "a web page around a diffusion model"),
            new Rule("pipe.", s -> s.shows(Trait.DIFFUSERS), "diffusers"),
            new Rule(
                    "sbatch",
                    s -> s.host() && (s.shows(Trait.SLURM) || s.evidence().claims(Claim.SLURM)),
                    "Slurm"),
            new Rule("docker", s -> s.host() && !s.shows(Trait.WINDOWS), "containers of a host"),
            new Rule("ps -eo", s -> s.host() && !s.shows(Trait.WINDOWS), "a Unix host"),
            new Rule("DataLoader(", Situation::host, "the host"),
            new Rule(
                    "--use-distributed-optimizer",
                    s -> s.trains() && (s.shows(Trait.MEGATRON) || s.shows(Trait.MINDSPEED)),
                    "Megatron"),
            new Rule(
                    "--memory-fragmentation",
                    s -> s.framework() == Framework.TORCH_NPU && s.shows(Trait.MINDSPEED),
                    "MindSpeed"),
            new Rule(
                    "--adaptive-memory",
                    s -> s.framework() == Framework.TORCH_NPU && s.shows(Trait.MINDSPEED),
                    "MindSpeed"),
            new Rule("fully_shard", Situation::trains, "training"),
            new Rule(
                    "save_on_cpu",
                    s -> s.trains() && s.framework() != Framework.PYTORCH_MPS,
                    "memory apart from the host's"),
            new Rule("save_on_cpu", s -> !s.torchBefore(110), "PyTorch 1.10"),
            new Rule("use_reentrant", s -> !s.torchBefore(111), "PyTorch 1.11"),
            new Rule("torch.autocast", s -> !s.torchBefore(110), "PyTorch 1.10"),
            new Rule("FullyShardedDataParallel", s -> !s.torchBefore(111), "PyTorch 1.11"),
            new Rule("set_per_process_memory_fraction", s -> !s.torchBefore(104), "PyTorch 1.8"),
            new Rule("checkpoint", Situation::trains, "training"),
            new Rule("autocast", Situation::trains, "training"),
            new Rule("AdamW", Situation::trains, "training"),
            new Rule("loss", Situation::trains, "training"),
            new Rule("set_per_process_memory_fraction", Situation::trains, "a training's own code"));

    private static boolean isLlama(Situation s) {
        return s.framework() == Framework.LLAMA_CPP_CUDA || s.framework() == Framework.LLAMA_CPP_ROCM;
    }

    /** Changes to a training, which a server has none of. */
    private static final Set<String> OF_TRAINING = Set.of(
            "smaller-micro-batch",
            "bucket-lengths",
            "delete-loss",
            "no-grad",
            "mixed-precision",
            "swap",
            "adaptive-memory",
            "memory-fragmentation",
            "recompute",
            "shard",
            "optimisation-on",
            "fraction",
            "raise-limit",
            "empty-cache",
            "split-request",
            "host-workers");

    /** What only servers have. */
    private static final Set<String> OF_SERVERS = Set.of(
            "fewer-requests",
            "vllm-cache",
            "vllm-utilisation",
            "sglang-larger",
            "sglang-smaller",
            "fewer-graphs",
            "trtllm-cache",
            "lmdeploy-cache",
            "spread",
            "smaller-weights",
            "image-parts",
            "smaller-pictures");

    /** Nothing about devices for the host, and nothing of the host for a device. */
    private static final List<String> OF_HOST =
            List.of("host-", "shm-size", "paging-file", "container-limit", "ray-memory", "unpinned");

    @Test
    void nobody_is_offered_what_cannot_help() {
        List<String> impossible = new ArrayList<>();
        Set<String> offered = new TreeSet<>();
        long pairs = 0;
        for (Situation s : situations()) {
            List<Remedy> remedies = RemedyRanking.remedies(s.cause(), s.evidence());
            for (Remedy remedy : remedies) {
                pairs++;
                offered.add(remedy.id());
                fault(s, remedy).ifPresent(why -> impossible.add(describe(s) + ": " + remedy.id() + " " + why));
            }
        }
        System.out.printf("%,d remedies offered in all situations, %d different: %s%n", pairs, offered.size(), offered);
        assertThat(impossible.stream().limit(40)).as("impossible pairs").isEmpty();
        assertThat(offered).hasSizeGreaterThan(30);
    }

    @Test
    void there_is_always_something_to_do() {
        for (Situation s : situations()) {
            assertThat(RemedyRanking.remedies(s.cause(), s.evidence()))
                    .as(describe(s))
                    .isNotEmpty();
        }
    }

    private static Optional<String> fault(Situation s, Remedy remedy) {
        boolean ofHost = OF_HOST.stream().anyMatch(remedy.id()::startsWith);
        if (ofHost != s.host()) {
            return Optional.of(ofHost ? "is of the host" : "is of a device");
        }
        boolean ofOtherRole = s.trains() ? OF_SERVERS.contains(remedy.id()) : OF_TRAINING.contains(remedy.id());
        if (ofOtherRole) {
            return Optional.of("is of another role");
        }
        String command = remedy.command().orElse("");
        return RULES.stream()
                .filter(rule -> command.contains(rule.says()) && !rule.where().test(s))
                .map(rule -> "$ " + command + " (" + rule.why() + ")")
                .findFirst();
    }

    private static String describe(Situation s) {
        return s.framework() + " " + s.evidence().report().form() + " " + s.cause() + " "
                + s.evidence().report().claims() + " "
                + s.evidence().surroundings().traits();
    }

    private static List<Situation> situations() {
        List<Set<Trait>> places = List.of(
                Set.of(),
                Set.of(Trait.TRAINS),
                Set.of(Trait.TRAINS, Trait.MINDSPEED, Trait.MEGATRON),
                Set.of(Trait.SERVES),
                Set.of(Trait.SERVES, Trait.VLLM),
                Set.of(Trait.SERVES, Trait.SGLANG),
                Set.of(Trait.SERVES, Trait.TENSORRT_LLM),
                Set.of(Trait.SERVES, Trait.LLAMA_CPP),
                Set.of(Trait.SERVES, Trait.LLAMA_CPP, Trait.OLLAMA),
                Set.of(Trait.SERVES, Trait.TGI),
                Set.of(Trait.SERVES, Trait.TRITON),
                Set.of(Trait.SERVES, Trait.LMDEPLOY),
                Set.of(Trait.SERVES, Trait.COMFYUI),
                Set.of(Trait.SERVES, Trait.DIFFUSERS),
                Set.of(Trait.SERVES, Trait.IMAGE_UI, Trait.WINDOWS),
                Set.of(Trait.TRAINS, Trait.SERVES, Trait.VLLM),
                Set.of(Trait.TRAINS, Trait.WINDOWS),
                Set.of(Trait.TRAINS, Trait.SLURM),
                Set.of(Trait.TRAINS, Trait.KUBERNETES),
                Set.of(Trait.TRAINS, Trait.ROCM),
                Set.of(Trait.TPU),
                Set.of(Trait.TPU, Trait.TORCH_XLA),
                Set.of(Trait.JULIA),
                Set.of(Trait.MACOS, Trait.DATA_LOADER));
        List<Set<Claim>> claims = List.of(
                Set.of(),
                Set.of(Claim.OUTSIDE_ALLOCATION),
                Set.of(Claim.OUTSIDE_ALLOCATION, Claim.COLLECTIVE),
                Set.of(Claim.LIMIT),
                Set.of(Claim.SHARE_TOO_SMALL),
                Set.of(Claim.HOST_MEMORY),
                Set.of(Claim.HOST_MEMORY, Claim.LOADER, Claim.SHARED_MEMORY),
                Set.of(Claim.HOST_MEMORY, Claim.SLURM),
                Set.of(Claim.HOST_MEMORY, Claim.CONTAINER),
                Set.of(Claim.HOST_MEMORY, Claim.PINNED));
        List<Situation> all = new ArrayList<>();
        for (Framework framework : Framework.values()) {
            for (MessageForm form : MessageForm.values()) {
                for (Set<Claim> said : claims) {
                    for (Set<Trait> place : places) {
                        Evidence evidence = evidence(framework, form, said, place);
                        causes(said).forEach(cause -> all.add(new Situation(evidence, cause)));
                    }
                }
            }
        }
        return all;
    }

    /** A shared memory that is full is a container's on Linux: the two do not meet on Windows. */
    private static Set<Cause> causes(Set<Claim> said) {
        return said.contains(Claim.HOST_MEMORY)
                ? EnumSet.of(Cause.LIMIT, Cause.CAPACITY, Cause.UNKNOWN)
                : EnumSet.allOf(Cause.class);
    }

    private static Evidence evidence(Framework framework, MessageForm form, Set<Claim> claims, Set<Trait> place) {
        Set<Claim> possible = place.contains(Trait.WINDOWS) ? withoutLinux(claims) : claims;
        Map<Quantity, Long> amounts = Map.of(
                Quantity.TRIED, 3 * GIB,
                Quantity.TOTAL, 64 * GIB,
                Quantity.ALLOCATED, 50 * GIB,
                Quantity.FREE, 2 * GIB,
                Quantity.RESERVED, 56 * GIB,
                Quantity.ALLOWED, 57 * GIB);
        OomReport report = new OomReport(
                framework,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                amounts,
                List.of(),
                List.of(),
                Optional.empty(),
                form,
                possible,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                new Span(1, 1, 0, 10),
                "a message",
                LogContext.NONE,
                1,
                List.of());
        return new Evidence(
                report,
                Set.of(),
                Optional.empty(),
                new Surroundings(place),
                false,
                new PoolState(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()),
                Thresholds.DEFAULT);
    }

    private static Set<Claim> withoutLinux(Set<Claim> claims) {
        Set<Claim> left = EnumSet.noneOf(Claim.class);
        left.addAll(claims);
        left.removeAll(Set.of(Claim.SLURM, Claim.CONTAINER, Claim.SHARED_MEMORY));
        return left;
    }
}
