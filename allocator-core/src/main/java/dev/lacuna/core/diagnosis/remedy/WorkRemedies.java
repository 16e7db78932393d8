package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.DeviceKind;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import dev.lacuna.core.diagnosis.rule.NearLimitNote;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Asking for less: changes to the work itself, from the smallest to sharding. */
final class WorkRemedies {
    private WorkRemedies() {}

    /** One request larger than the device has to be cut. */
    static Optional<Remedy> splitRequest(Evidence e) {
        if (e.request().isAbsurd()) {
            return Optional.empty();
        }
        if (e.request().isFarBeyond()) {
            return Optional.of(Remedy.manual("split-request", Optional.empty(), Text.of("remedy.split-request.why.far"))
                    .titled(Text.of("remedy.split-request.title.far")));
        }
        return isOfPictures(e)
                ? Optional.of(
                        Remedy.manual("split-request", Optional.empty(), Text.of("remedy.split-request.why.pictures")))
                : plain("split-request");
    }

    /** One request that is most of what the process needs: cutting it helps more than any order in the pool. */
    static Optional<Remedy> splitLargest(Evidence e) {
        return e.request().isOneLargeRequest()
                ? Optional.of(
                        Remedy.manual("split-request", Optional.empty(), Text.of("remedy.split-request.why.largest")))
                : Optional.empty();
    }

    /** The same where a driver refuses single allocations of that size. */
    static Optional<Remedy> splitForLimit(Evidence e) {
        boolean stated = e.report().framework() == Framework.IPEX_XPU && e.claims(Claim.LIMIT);
        return stated || e.request().isOverSingleLimit()
                ? Optional.of(
                        Remedy.manual("split-request", Optional.empty(), Text.of("remedy.split-request.why.single")))
                : Optional.empty();
    }

    /** A size that nothing could hold was worked out wrong. */
    static Optional<Remedy> checkSize(Evidence e) {
        if (!e.request().isAbsurd()) {
            return Optional.empty();
        }
        return e.request().isStartShare()
                ? Optional.of(Remedy.manual(
                                "check-size",
                                Optional.of("TF_FORCE_GPU_ALLOW_GROWTH=true"),
                                Text.of("remedy.check-size.why.start-share"))
                        .titled(Text.of("remedy.check-size.title.start-share")))
                : plain("check-size");
    }

    static Optional<Remedy> smallerMicroBatch(Evidence e) {
        if (e.request().isAbsurd()
                || FrameworkRemedies.isReservation(e)
                || e.origin().evaluates()
                || e.request().isOnLargerCard()
                || hadAmpleRoom(e)
                || holdsNothing(e) && isHeldByOthers(e)
                || mapsData(e)) {
            return Optional.empty();
        }
        if (e.surroundings().show(Trait.BATCH_OF_ONE)) {
            return smallerSamples(e);
        }
        return Optional.of(smallerBatch(e, e.origin().trains() ? Remedy.whyOf("smaller-micro-batch") : why(e)));
    }

    /**
     * Whether a good part of the device was free, many times what was asked for, and no cap is known: whatever refused it, less
     * work is asked no smaller piece.
     */
    private static boolean hadAmpleRoom(Evidence e) {
        return e.room().freeWasEnough()
                && e.report().allowedBytes().isEmpty()
                && !NearLimitNote.holds(e)
                && e.free().getAsLong() / AMPLE >= e.tried().getAsLong()
                && e.free().getAsLong() >= e.total().orElse(Long.MAX_VALUE) / 4;
    }

    private static final int AMPLE = 64;

    /** Of whom nothing tells a training, what only a training has is said under that condition, once. */
    private static Text why(Evidence e) {
        boolean mayTrain = e.report().framework().family() != Family.INFERENCE && e.device() != DeviceKind.APPLE;
        return Text.of("remedy.smaller-micro-batch.why.any" + (mayTrain ? ".training" : ""));
    }

    /** Whether others have the device, or refuse what is free of it, before this process has anything. */
    private static boolean isHeldByOthers(Evidence e) {
        return e.room().freeWasEnough() || e.fullness().isLastBesideOthers();
    }

    private static Remedy smallerBatch(Evidence e, Text why) {
        Remedy remedy = Remedy.manual("smaller-micro-batch", batchCommand(e), why);
        if (isOfPictures(e)) {
            return remedy.titled(Text.of("remedy.smaller-micro-batch.title.pictures"));
        }
        return e.origin().trains() ? remedy : remedy.titled(Text.of("remedy.smaller-micro-batch.title.any"));
    }

    /** Where a batch has one sample already, only the sample is left to become smaller. */
    private static Optional<Remedy> smallerSamples(Evidence e) {
        Remedy remedy = Remedy.manual("smaller-samples", Optional.empty(), Remedy.whyOf("smaller-samples"));
        return Optional.of(isOfPictures(e) ? remedy.titled(Text.of("remedy.smaller-samples.title.pictures")) : remedy);
    }

    private static boolean isOfPictures(Evidence e) {
        return e.surroundings().show(Trait.PICTURES);
    }

    /** The last resort of a fragmentation: memory is not short, its shape is. */
    static Optional<Remedy> smallerMicroBatchLast(Evidence e) {
        return e.fullness().isHardlyFragmented()
                        || e.total().isEmpty()
                        || e.request().isOneLargeRequest()
                ? smallerMicroBatch(e)
                : last(e);
    }

    /** Whether less work is no mere makeshift: tensors hold most of the device, or the one request is a good part of it. */
    private static boolean isShort(Evidence e) {
        long total = e.total().orElse(Long.MAX_VALUE);
        return e.report().allocatedBytes().orElse(0) >= total / 5 * 4
                || e.tried().orElse(0) > total / 10;
    }

    private static Optional<Remedy> last(Evidence e) {
        if (e.origin().gathers()
                || isShort(e)
                || e.others().listedBytes().orElse(0) > e.gap().orElse(0)) {
            return smallerMicroBatch(e);
        }
        return e.surroundings().show(Trait.BATCH_OF_ONE)
                ? smallerSamples(e)
                : Optional.of(smallerBatch(e, Text.of("remedy.smaller-micro-batch.why.last")));
    }

    /** The same for a library or program of which nothing says that it trains. */
    static Optional<Remedy> smallerWork(Evidence e) {
        boolean other = !e.origin().serves()
                && (e.report().framework().family() == Family.OTHER
                        || e.surroundings().show(Trait.JULIA)
                        || e.surroundings().show(Trait.RUST)
                        || RoomRemedies.withoutTorch(e));
        return other && RemedyScope.isNoTrainer(e) ? plain("smaller-work") : Optional.empty();
    }

    static Optional<Remedy> bucketLengths(Evidence e) {
        boolean packed = e.surroundings().show(Trait.PACKED)
                || e.surroundings().show(Trait.MEGATRON)
                || e.surroundings().show(Trait.MINDSPEED); // Whose samples are all of one length.
        return trains(e)
                        && !e.origin().gathers()
                        && !isOfPictures(e)
                        && !packed
                        && !e.surroundings().show(Trait.BATCH_OF_ONE)
                ? plain("bucket-lengths")
                : Optional.empty();
    }

    /** A loss that is kept keeps its whole graph; first where the log shows memory growing. */
    static Optional<Remedy> deleteLoss(Evidence e) {
        return torch(e, "delete-loss", "total += loss.item(); del loss");
    }

    /** A validation that builds graphs holds activations for nothing; not one whose frames show that it builds none. */
    static Optional<Remedy> noGrad(Evidence e) {
        return e.report().context().ranThrough(GRADIENTLESS)
                ? Optional.empty()
                : torch(e, "no-grad", "with torch.no_grad():");
    }

    /** Also trainers that see to it themselves. */
    private static final List<String> GRADIENTLESS = List.of(
            "no_grad",
            "inference_mode",
            "decorate_context",
            "lightning/",
            "transformers/trainer",
            "mmengine/",
            "mmdet/",
            "detectron2/",
            "ultralytics/");

    static Optional<Remedy> mixedPrecision(Evidence e) {
        if (e.isOn(Setting.MIXED_PRECISION)) {
            return Optional.empty();
        }
        if (e.surroundings().show(Trait.DEEPSPEED)
                && e.report().framework().family() == Family.TORCH
                && !mayLackBfloat16(e)) {
            return own("mixed-precision", "\"bf16\": {\"enabled\": true}");
        }
        if (TrainerOptions.isKnown(e)) {
            return TrainerOptions.halfPrecision(e, mayLackBfloat16(e)).flatMap(o -> own("mixed-precision", o));
        }
        if (TrainerOptions.isStarted(e)) {
            return plain("mixed-precision");
        }
        return switch (e.report().framework()) {
            case PYTORCH_CUDA, PYTORCH_ROCM, PYTORCH_CUDA_MALLOC_ASYNC ->
                TorchAge.isBefore(e, TorchAge.AUTOCAST)
                        ? olderAutocast(e)
                        : mayLackBfloat16(e) ? float16() : autocast("cuda");
            case TORCH_NPU -> autocast("npu");
            case PYTORCH_XPU, IPEX_XPU -> autocast("xpu");
            case PYTORCH_MPS -> autocast("mps");
            case MINDSPORE_ASCEND, MINDSPORE_GPU ->
                own(
                        "mixed-precision",
                        e.surroundings().show(Trait.MINDFORMERS)
                                ? "model_config: {compute_dtype: \"float16\"}"
                                : "mindspore.amp.auto_mixed_precision(net, \"O2\")");
            case TENSORFLOW -> own("mixed-precision", "keras.mixed_precision.set_global_policy(\"mixed_float16\")");
            case PADDLE -> own("mixed-precision", "paddle.amp.auto_cast(level=\"O2\")");
            default -> Optional.empty();
        };
    }

    static Optional<Remedy> swap(Evidence e) {
        boolean oneMemory = e.device() == DeviceKind.APPLE; // The host's memory is the device's.
        if (!trains(e)
                || oneMemory
                || holdsNothing(e)
                || e.isOn(Setting.SWAP)
                || e.fullness().isSpilled()) {
            return Optional.empty();
        }
        return switch (e.report().framework().family()) {
            case TORCH ->
                TorchAge.isBefore(e, TorchAge.AUTOCAST)
                        ? plain("swap")
                        : own("swap", "torch.autograd.graph.save_on_cpu(pin_memory=True)");
            case MINDSPORE -> own("swap", "swap_config: {swap: True, default_prefetch: 1}");
            default -> Optional.empty(); // Of the others none has a way to it that every release knows.
        };
    }

    /** MindSpeed's choice of what to swap and what to recompute; excludes its memory fragmentation switch. */
    static Optional<Remedy> adaptiveMemory(Evidence e) {
        boolean applies = e.report().framework() == Framework.TORCH_NPU
                && !e.isOn(Setting.ADAPTIVE_MEMORY)
                && !e.isOn(Setting.OPTIMISATION)
                && !AllocatorRemedies.gapIsLarge(e);
        return applies ? own("adaptive-memory", "--adaptive-memory-optimization") : Optional.empty();
    }

    static Optional<Remedy> recompute(Evidence e) {
        if (!trains(e) || holdsNothing(e) || e.isOn(Setting.RECOMPUTE)) {
            return Optional.empty();
        }
        if (TrainerOptions.isKnown(e)) {
            return TrainerOptions.recompute(e).flatMap(o -> own("recompute", o));
        }
        if (TrainerOptions.isStarted(e)) {
            return plain("recompute");
        }
        return switch (e.report().framework()) {
            case MINDSPORE_ASCEND, MINDSPORE_GPU -> own("recompute", "recompute_config: {recompute: True}");
            case JAX_XLA ->
                e.surroundings().show(Trait.JAX) && !e.surroundings().show(Trait.TORCH_XLA)
                        ? own("recompute", "jax.checkpoint(f)")
                        : plain("recompute");
            case TENSORFLOW -> own("recompute", "tf.recompute_grad(f)");
            case PADDLE -> own("recompute", "paddle.distributed.fleet.utils.recompute(layer, x)");
            default ->
                e.report().framework().family() == Family.TORCH
                        ? own(
                                "recompute",
                                TorchAge.isBefore(e, TorchAge.REENTRANT)
                                        ? "torch.utils.checkpoint.checkpoint(layer, x)"
                                        : "torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)")
                        : plain("recompute");
        };
    }

    static Optional<Remedy> shard(Evidence e) {
        if (e.isOn(Setting.SHARDING)
                || LoadingRemedies.saves(e) // By FSDP, which shards.
                || e.request().isAbsurd()
                || OptimizerRemedies.isFirstDeepSpeed(e)) {
            return Optional.empty();
        }
        if (e.surroundings().show(Trait.DEEPSPEED) && e.report().framework().family() == Family.TORCH) {
            return OptimizerRemedies.nextStage(e);
        }
        if (TrainerOptions.isKnown(e)) {
            return e.origin().onWindows()
                    ? Optional.empty()
                    : TrainerOptions.shard(e).flatMap(o -> own("shard", o));
        }
        if (TrainerOptions.isStarted(e)) {
            return plain("shard");
        }
        return switch (e.report().framework()) {
            case PYTORCH_CUDA, PYTORCH_ROCM, PYTORCH_XPU -> shardedData(e);
            case TORCH_NPU ->
                e.surroundings().show(Trait.MEGATRON) || e.surroundings().show(Trait.MINDSPEED)
                        ? own("shard", "--use-distributed-optimizer")
                        : own("shard", SHARDED);
            case MINDSPORE_ASCEND, MINDSPORE_GPU -> own("shard", "parallel: {enable_parallel_optimizer: True}");
            default -> plain("shard");
        };
    }

    /** Of PyTorch 1.11 and later; Windows has no collectives of devices. */
    private static final String SHARDED = "torch.distributed.fsdp.FullyShardedDataParallel(model)";

    private static Optional<Remedy> shardedData(Evidence e) {
        boolean older = switch (e.report().form()) {
            case CACHED, RESERVED_IN_TOTAL -> true;
            default -> false;
        };
        return older || e.origin().onWindows() ? Optional.empty() : own("shard", SHARDED);
    }

    /** How to get a message that a verdict can rest on. */
    static Optional<Remedy> getFigures(Evidence e) {
        // A server has options to turn whatever the figures are; of the others only PyTorch's pools print them all.
        boolean prints = switch (e.report().framework()) {
            case PYTORCH_CUDA, PYTORCH_ROCM, TORCH_NPU -> !e.claims(Claim.OUTSIDE_ALLOCATION);
            default -> false;
        };
        boolean whole = e.report().hasImpossibleNumber() || isOfWorkspace(e);
        return prints && !whole && !e.origin().serves() ? plain("get-figures") : Optional.empty();
    }

    /** Whether torch_npu's other allocator printed it, of which neither reserved nor allocated is ever told. */
    private static boolean isOfWorkspace(Evidence e) {
        return e.report().framework() == Framework.TORCH_NPU
                && Stream.concat(Stream.of(e.report().text()), e.report().context().lines().stream())
                        .anyMatch(line -> line.contains("NPUWorkspaceAllocator"));
    }

    /** What torch_npu itself names where its workspaces found no room. */
    static Optional<Remedy> taskQueue(Evidence e) {
        return isOfWorkspace(e) ? own("task-queue", "TASK_QUEUE_ENABLE=1") : Optional.empty();
    }

    /** The same before the allocator, where it was the outputs of all batches that were joined: they grow with each. */
    static Optional<Remedy> smallerEvaluationFirst(Evidence e) {
        return e.origin().keepsOutputs() ? smallerEvaluation(e) : Optional.empty();
    }

    /** The same behind the allocator, where a traceback shows that it was evaluating. */
    static Optional<Remedy> smallerEvaluationToo(Evidence e) {
        return e.origin().isInsideEvaluation() ? smallerEvaluation(e) : Optional.empty();
    }

    /** A trainer's evaluation keeps every batch's outputs until it has seen them all. */
    static Optional<Remedy> smallerEvaluation(Evidence e) {
        if (!e.origin().evaluates() || e.origin().serves()) {
            return Optional.empty();
        }
        boolean trainer = e.report().context().lines().stream()
                .anyMatch(line -> line.contains("transformers/") || line.contains("llamafactory"));
        return trainer
                ? own("smaller-evaluation", "--per_device_eval_batch_size 1 --eval_accumulation_steps 8")
                : plain("smaller-evaluation");
    }

    /** Data that is mapped before a training, or pictures that are encoded, have batches of their own. */
    static boolean mapsData(Evidence e) {
        return encodesPictures(e) || e.report().context().ranThrough(MAPPING);
    }

    private static final List<String> MAPPING = List.of("dataset.map(", "arrow_dataset.py");

    private static boolean encodesPictures(Evidence e) {
        return e.report().context().ranThrough(ENCODING);
    }

    private static final List<String> ENCODING =
            List.of("cache_latents", "cache_batch_latents", "cache_text_encoder_outputs", "encode_by_vae");

    /** The same, by its own argument. */
    static Optional<Remedy> smallerMap(Evidence e) {
        if (encodesPictures(e) && !e.report().isOfHost()) {
            return Optional.of(Remedy.manual(
                            "smaller-map",
                            e.surroundings().show(Trait.SD_SCRIPTS)
                                    ? Optional.of("--vae_batch_size=1")
                                    : Optional.empty(),
                            Text.of("remedy.smaller-map.why.pictures"))
                    .titled(Text.of("remedy.smaller-map.title.pictures")));
        }
        return mapsData(e) && !e.report().isOfHost()
                ? own("smaller-map", "dataset.map(…, batched=True, batch_size=8)")
                : Optional.empty();
    }

    private static Optional<String> batchCommand(Evidence e) {
        return switch (e.report().framework()) {
            case MINDSPORE_ASCEND, MINDSPORE_GPU ->
                e.surroundings().show(Trait.MINDFORMERS)
                        ? Optional.of("runner_config: {batch_size: 1}")
                        : Optional.empty();
            default -> TrainerOptions.batch(e);
        };
    }

    /** PyTorch 1.6 and later; messages of 1.4 look the same, those of 1.3 do not. */
    private static Optional<Remedy> olderAutocast(Evidence e) {
        return e.report().form() == MessageForm.CACHED
                ? plain("mixed-precision")
                : own("mixed-precision", "torch.cuda.amp.autocast()");
    }

    /** Cards before Ampere have no bfloat16; before PyTorch 2.1 a message may well be of one, unless its size tells otherwise. */
    private static boolean mayLackBfloat16(Evidence e) {
        if (e.report().framework() != Framework.PYTORCH_CUDA || e.surroundings().show(Trait.WITH_BF16)) {
            return false;
        }
        long total = e.total().orElse(0);
        if (total >= LEAST_OF_T4 && total < MOST_OF_T4) {
            return true;
        }
        boolean large = total >= OF_NEWER_CARDS;
        return e.surroundings().show(Trait.WITHOUT_BF16) || TorchAge.isBefore(e, TorchAge.SENTENCES) && !large;
    }

    /** What the notebooks' card of 16 GB shows of it, and no other. */
    private static final long LEAST_OF_T4 = (long) (14.5 * (1L << 30));

    private static final long MOST_OF_T4 = (long) (14.9 * (1L << 30));

    /** No card without bfloat16 has more than 48 GiB. */
    private static final long OF_NEWER_CARDS = 50L << 30;

    private static Optional<Remedy> float16() {
        return Optional.of(Remedy.manual(
                "mixed-precision",
                Optional.of("torch.autocast(\"cuda\", dtype=torch.float16)"),
                Text.of("remedy.mixed-precision.why.float16")));
    }

    private static Optional<Remedy> autocast(String device) {
        return own("mixed-precision", "torch.autocast(\"" + device + "\", dtype=torch.bfloat16)");
    }

    private static Optional<Remedy> torch(Evidence e, String id, String command) {
        return e.report().framework().family() == Family.TORCH && !holdsNothing(e)
                ? own(id, command)
                : Optional.empty();
    }

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }

    private static Optional<Remedy> plain(String id) {
        return Optional.of(Remedy.manual(id, Optional.empty(), Remedy.whyOf(id)));
    }

    /** Before the first tensor there are no activations to move or to compute again. */
    private static boolean holdsNothing(Evidence e) {
        return e.report().allocatedBytes().orElse(1) == 0;
    }

    private static boolean trains(Evidence e) {
        return e.report().framework().family() != Family.INFERENCE;
    }
}
