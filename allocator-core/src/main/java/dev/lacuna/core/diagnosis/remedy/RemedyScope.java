package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.DeviceKind;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Set;

/**
 * Whom a remedy is meant for, beyond what its own offer asks: nothing of training for a server, nothing of a program's
 * code for people who only run it, nothing of Linux on Windows.
 */
final class RemedyScope {
    /** Changes to a training's code or arguments. */
    private static final Set<String> OF_TRAINING = Set.of(
            "smaller-micro-batch",
            "smaller-samples",
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
            "optimizer-offload",
            "optimizer-bits",
            "fraction",
            "raise-limit",
            "empty-cache",
            "split-request",
            "host-workers",
            "ray-memory");

    /** What a check at the start does not count; a server that takes a smaller share then needs less for its cache. */
    private static final Set<String> OF_LESS_WORK =
            Set.of("smaller-micro-batch", "smaller-samples", "smaller-work", "spread");

    /** What a server could take less of, were it the device that filled up. */
    private static final Set<String> OF_AN_OPEN_DEVICE =
            Set.of("fewer-requests", "smaller-weights", "llama-layers", "spread");

    /** Before the first step: there is no batch yet, nothing kept for a backward pass, and no gap that counts. */
    private static final Set<String> NOT_WHILE_LOADING = Set.of(
            "smaller-micro-batch",
            "smaller-samples",
            "bucket-lengths",
            "delete-loss",
            "no-grad",
            "mixed-precision",
            "swap",
            "adaptive-memory",
            "recompute",
            "shard",
            "split-request",
            "fraction",
            "max-split-size",
            "fewer-requests",
            "smaller-pictures",
            "smaller-work");

    /** Beside a smaller share, which a check at the start asks for. */
    private static final Set<String> OF_A_SMALLER_CACHE = Set.of("fewer-requests", "smaller-weights");

    /** Settings of an allocator, which bring back nothing that a driver has moved to the host. */
    private static final Set<String> NOT_WHERE_SPILLED =
            Set.of("optimisation-on", "expandable-segments", "max-split-size", "gc-threshold");

    /** Once a training has ended and its state is saved, no batch is worked on. */
    private static final Set<String> NOT_WHILE_SAVING = Set.of(
            "smaller-micro-batch",
            "smaller-samples",
            "bucket-lengths",
            "recompute",
            "swap",
            "delete-loss",
            "no-grad",
            "mixed-precision");

    /** Where nothing is trained: no gradients, no optimizer, and a batch size of its own. */
    private static final Set<String> NOT_WHILE_EVALUATING =
            Set.of("smaller-samples", "recompute", "swap", "delete-loss", "bucket-lengths", "adaptive-memory");

    /** Of a server alone: an engine inside a trainer is told by the trainer, and its weights are those that are trained. */
    private static final Set<String> OF_ENGINES_ALONE =
            Set.of("fewer-requests", "smaller-weights", "vllm-utilisation", "spread");

    /** By the time an optimizer steps, activations are gone, and with them what a batch has to do with it. */
    private static final Set<String> OF_ACTIVATIONS = Set.of(
            "swap",
            "recompute",
            "no-grad",
            "smaller-micro-batch",
            "smaller-samples",
            "bucket-lengths",
            "mixed-precision");

    /** Before the first forward pass there is no batch, and no loss. */
    private static final Set<String> OF_A_BATCH =
            Set.of("smaller-micro-batch", "smaller-samples", "bucket-lengths", "mixed-precision", "delete-loss");

    /** What a size that was worked out wrong leaves to do. */
    private static final Set<String> OF_A_WRONG_SIZE = Set.of("check-size");

    /** Not on Windows, whose driver cannot map memory that way. */
    private static final Set<String> NOT_ON_WINDOWS =
            Set.of("expandable-segments", "upgrade", "shm-size", "collective-buffers");

    /** Extensions of PyTorch for devices that have no word of their own. */
    private static final Set<String> TORCH = Set.of("torch_mlu", "torch_musa");

    /** Megatron's and MindSpeed's own arguments, which no other trainer reads. */
    private static final Set<String> OF_MINDSPEED = Set.of("adaptive-memory", "memory-fragmentation");

    private RemedyScope() {}

    /** Whether the remedy with this id is meant for whoever reads this report. */
    static boolean fits(String id, Evidence e) {
        boolean server = e.origin().serves() && OF_TRAINING.contains(id) || TrainerOptions.isOfItsCode(id, e);
        boolean windows = e.origin().onWindows() && NOT_ON_WINDOWS.contains(id);
        boolean unread = OF_MINDSPEED.contains(id) && !runsMindspeed(e);
        boolean beside = e.claims(Claim.HELD_BY_OTHERS) && OF_LESS_WORK.contains(id);
        beside |= OF_A_SMALLER_CACHE.contains(id) && ServingRemedies.wantsLess(e);
        boolean loading = e.origin().loadsWeights() && NOT_WHILE_LOADING.contains(id);
        loading |= NOT_WHILE_SAVING.contains(id) && LoadingRemedies.saves(e);
        loading |=
                OF_LESS_WORK.contains(id) && (RoomRemedies.deviceOfRank(e).isPresent() || RoomRemedies.opensDevice(e));
        loading |= OF_AN_OPEN_DEVICE.contains(id) && RoomRemedies.opensDevice(e);
        loading |= OF_ACTIVATIONS.contains(id) && OptimizerRemedies.applies(e);
        loading |= (OptimizerRemedies.setsUp(e) || WorkRemedies.mapsData(e))
                && (OF_A_BATCH.contains(id) || OF_ACTIVATIONS.contains(id));
        loading |= NOT_WHILE_EVALUATING.contains(id) && e.origin().evaluates();
        loading |= OF_ENGINES_ALONE.contains(id) && ServingRemedies.isColocated(e);
        boolean foreign = e.surroundings().show(Trait.RUST) && id.equals("upgrade"); // Its libtorch comes with a crate.
        boolean spilled = e.fullness().isSpilled() && NOT_WHERE_SPILLED.contains(id);
        boolean wrongSize = e.request().isAbsurd() && !OF_A_WRONG_SIZE.contains(id);
        return RemedyNeeds.areShown(id, e)
                && !server
                && !beside
                && !loading
                && !foreign
                && !wrongSize
                && !spilled
                && !windows
                && !unread
                && !(isNoTrainer(e) && OF_TRAINING.contains(id) && !id.startsWith("host-"));
    }

    /** MindSpeed's switches are read by MindSpeed alone: something has to tell that it, or Megatron under it, runs. */
    private static boolean runsMindspeed(Evidence e) {
        boolean told = e.surroundings().show(Trait.MINDSPEED)
                || e.surroundings().show(Trait.MEGATRON)
                || e.isOn(Setting.OPTIMISATION)
                || e.isOn(Setting.ADAPTIVE_MEMORY)
                || e.isOn(Setting.SWAP);
        return e.report().framework() == Framework.TORCH_NPU && told;
    }

    /** A library or program of which nothing says that it trains: CuPy, RAPIDS, a program in C++. */
    static boolean isNoTrainer(Evidence e) {
        boolean torch = e.report().library().filter(TORCH::contains).isPresent();
        boolean noTorch = e.report().framework().family() == Family.OTHER
                || e.surroundings().show(Trait.JULIA)
                || e.surroundings().show(Trait.RUST)
                || RoomRemedies.withoutTorch(e) && !e.surroundings().show(Trait.HCCL);
        return noTorch
                && !torch
                && e.device() != DeviceKind.HOST
                && !AllocatorRemedies.isLacuna(e.report())
                && !e.surroundings().show(Trait.TRAINS);
    }
}
