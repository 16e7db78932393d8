package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Optional;

/** What helps where weights are loaded that do not fit: batches, activations and gradients are none yet. */
final class LoadingRemedies {
    /** PyTorch's own reader, which puts tensors where they were saved from. */
    private static final List<String> READER =
            List.of("persistent_load", "restore_location", "_cuda_deserialize", "_cuda_reload", "torch.load(");

    /** Of several processes each has a device of its own, over which no model may be spread. */
    private static final List<String> LAUNCHERS = List.of(
            "[rank",
            "launcher.py",
            "local_rank",
            "torchrun",
            "torch/distributed/",
            "elastic",
            "DistributedDataParallel");

    private LoadingRemedies() {}

    /** A checkpoint by way of the host. */
    static Optional<Remedy> mapLocation(Evidence e) {
        boolean reads = e.origin().loadsWeights()
                && e.report().framework().family() == Family.TORCH
                && (e.origin().loadsStates()
                        || e.report().context().lines().stream()
                                .anyMatch(line -> READER.stream().anyMatch(line::contains)));
        return reads ? own("map-location", Optional.of("torch.load(FILE, map_location=\"cpu\")")) : Optional.empty();
    }

    /** TorchServe's processes, each of which loads the whole model to the same device. */
    static Optional<Remedy> fewerWorkers(Evidence e) {
        boolean serves = e.report().context().lines().stream().anyMatch(line -> line.contains("org.pytorch.serve"));
        return e.origin().loadsWeights() && serves
                ? own("fewer-workers", Optional.of("default_workers_per_model=1"))
                : Optional.empty();
    }

    /** Weights of fewer bits; a server has options of its own for that. */
    static Optional<Remedy> smallerType(Evidence e) {
        if (e.origin().isOfPlacement()) {
            return Optional.of(Remedy.manual("load-type", Optional.empty(), Text.of("remedy.load-type.why.placement"))
                    .titled(Text.of("remedy.load-type.title.placement")));
        }
        boolean quantised = e.report().context().says("bitsandbytes/nn/modules")
                || e.report().context().says("bitsandbytes\\nn\\modules");
        return e.origin().loadsWeights()
                        && !e.origin().loadsStates()
                        && !e.origin().serves()
                        && !quantised
                ? own("load-type", Optional.empty())
                : Optional.empty();
    }

    /** Each process its part. */
    static Optional<Remedy> sharded(Evidence e) {
        if (e.origin().isOfPlacement()) {
            return Optional.of(
                    Remedy.manual("load-sharded", Optional.empty(), Text.of("remedy.load-sharded.why.placement"))
                            .titled(Text.of("remedy.load-sharded.title.placement")));
        }
        if (!e.origin().loadsWeights()
                || e.origin().serves()
                || e.surroundings().show(Trait.IMAGE_UI)
                || e.isOn(Setting.SHARDING)) {
            return Optional.empty();
        }
        boolean trains = e.surroundings().show(Trait.TRAINS) || e.surroundings().show(Trait.DEEPSPEED);
        boolean transformers = e.report().context().lines().stream()
                .anyMatch(line -> line.contains("transformers/") || line.contains("accelerate/"));
        boolean several = e.report().context().lines().stream()
                .anyMatch(line -> LAUNCHERS.stream().anyMatch(line::contains));
        if (!several && !transformers) {
            return Optional.empty(); // One process, and nothing that spreads a model over devices.
        }
        return own(
                "load-sharded",
                trains || several || !transformers
                        ? Optional.empty()
                        : Optional.of("from_pretrained(…, device_map=\"auto\")"));
    }

    /** A library for the device that was built without it quantises nothing there. */
    static Optional<Remedy> gpuBuild(Evidence e) {
        return e.origin().isOfPlacement() && e.surroundings().show(Trait.BITSANDBYTES_ON_HOST)
                ? own("gpu-build", Optional.of("python -m bitsandbytes   # says what its build supports"))
                : Optional.empty();
    }

    /** What does not go onto the device, kept on the host unquantised. */
    static Optional<Remedy> onTheHost(Evidence e) {
        if (!e.origin().isOfPlacement()) {
            return Optional.empty();
        }
        // The argument that older messages name was never one.
        return own("load-offload", Optional.of("BitsAndBytesConfig(…, llm_int8_enable_fp32_cpu_offload=True)"));
    }

    /** A whole state gathered on the device while it is saved, by PyTorch's own sharding. */
    static Optional<Remedy> shardedState(Evidence e) {
        return saves(e)
                ? own("sharded-state", Optional.of("FSDP.state_dict_type(model, StateDictType.SHARDED_STATE_DICT)"))
                : Optional.empty();
    }

    /** Whether a state was being gathered for saving. */
    static boolean saves(Evidence e) {
        return e.report().context().lines().stream()
                .anyMatch(line -> line.contains("_state_dict_utils") || line.contains("Failed to clone() tensor"));
    }

    private static Optional<Remedy> own(String id, Optional<String> command) {
        return Optional.of(Remedy.manual(id, command, Remedy.whyOf(id)));
    }
}
