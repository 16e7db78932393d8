package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Who printed a message, and in the middle of what. */
public record Origin(Evidence e) {
    /** What a step may call first: a closure that computes the loss, whose own frames lie further in. */
    private static final List<String> CLOSURE =
            List.of("in forward", "in backward", ".backward(", "training_step", "closure()", "_call_impl");

    private static final List<String> OPTIMIZER = List.of(
            "exp_avg",
            "optimizer.step(",
            "torch/optim/",
            "torch\\optim\\",
            "_single_tensor_adam",
            "_multi_tensor_adam");

    /** PyTorch's allocator on the host says so only there; elsewhere it gives the system's error. */
    private static final String WINDOWS_ALLOCATOR = "DefaultCPUAllocator: not enough memory";

    private static final List<String> BUILDING =
            List.of("actic", "buildSerializedNetwork", "ngine building", "GraphReduction", "trtllm-build");

    /** What runs models and trains none, wherever it was started: a trainer that samples with one is asked for its options too. */
    private static final Set<String> SERVERS = Set.of(
            "sglang",
            "tgi",
            "lmdeploy",
            "mlc-llm",
            "mindie",
            "exllamav2",
            "exllamav3",
            "lm-studio",
            "ollama",
            "llama.cpp",
            "tensorrt",
            "tensorrt-llm",
            "ctranslate2",
            "openvino");

    /** Trainers, and words of a training's own code. */
    private static final Set<Trait> TRAINERS = EnumSet.of(
            Trait.TRAINS,
            Trait.DEEPSPEED,
            Trait.MEGATRON,
            Trait.MINDSPEED,
            Trait.MINDFORMERS,
            Trait.HF_TRAINER,
            Trait.AXOLOTL,
            Trait.SD_SCRIPTS,
            Trait.ULTRALYTICS,
            Trait.MMENGINE,
            Trait.PACKED,
            Trait.COLOCATED);

    /** What only a training can have turned on. */
    private static final Set<Setting> OF_TRAININGS = EnumSet.of(
            Setting.OPTIMISATION,
            Setting.ADAPTIVE_MEMORY,
            Setting.RECOMPUTE,
            Setting.SWAP,
            Setting.SHARDING,
            Setting.NO_EVALUATION);

    /**
     * Whether something shows a training: a trainer, its code, a setting that only trainings have, or Lacuna's agent, under
     * which nothing else runs.
     */
    public boolean trains() {
        return TRAINERS.stream().anyMatch(e.surroundings()::show)
                || OF_TRAININGS.stream().anyMatch(e::isOn)
                || e.grows()
                || e.pool().gapBytes().isPresent()
                || e.report().text().startsWith("Lacuna");
    }

    /** Whether the lines next to the message show that weights were being loaded: nothing of the work had begun. */
    public boolean loadsWeights() {
        return (LoadingSigns.of(e.report()) || isOfPlacement()) && !e.report().isOfHost();
    }

    /** Whether what was being loaded are an optimizer's states. */
    public boolean loadsStates() {
        return LoadingSigns.ofStates(e.report()) && !e.report().isOfHost();
    }

    /** Whether those lines show that weights were being loaded when the host's memory ran out. */
    public boolean loadsOnHost() {
        boolean sample =
                e.report().context().says("__getitem__") || e.report().context().says("_utils/fetch.py");
        return e.report().isOfHost() && !sample && LoadingSigns.of(e.report());
    }

    /** Whether an engine of TensorRT-LLM was given its weights: all of them at once, where nothing was tried out yet. */
    public boolean writesWeights() {
        return e.report().context().says("globWriter") || e.report().text().contains("globWriter");
    }

    /** Whether Transformers found, before it loaded anything, that quantised weights do not all go onto the device. */
    public boolean isOfPlacement() {
        return e.report().library().filter("transformers"::equals).isPresent();
    }

    /** Whether an optimizer's own step asked: what it keeps for each parameter, no activation. */
    public boolean isInOptimizerStep() {
        boolean inside = false;
        for (String line : e.report().context().lines()) {
            inside = CLOSURE.stream().noneMatch(line::contains)
                    && (inside || OPTIMIZER.stream().anyMatch(line::contains));
        }
        return inside;
    }

    /** Whether it was evaluating, and joined what the batches had given so far. */
    public boolean gathers() {
        return evaluates() && e.report().context().ranThrough(GATHERING);
    }

    private static final List<String> GATHERING = List.of("nested_concat", "torch_pad_and_concatenate");

    /**
     * Whether what an evaluation keeps until its end most likely took the room: it joined outputs, or missed by pieces that lie in
     * most pools.
     */
    public boolean keepsOutputs() {
        return gathers() || isInsideEvaluation() && !serves() && e.room().isGapSmall();
    }

    /** Whether a traceback runs through an evaluation, which a line that only speaks of one does not show. */
    public boolean isInsideEvaluation() {
        return evaluates() && e.report().context().ranThrough(FRAMES);
    }

    private static final List<String> FRAMES = List.of(
            "in evaluation_loop",
            "in evaluate",
            "in prediction_step",
            "in validation_step",
            "in _evaluate",
            "in Trainer.evaluate",
            "in predict(",
            "in prediction_loop",
            "nested_concat");

    /** Whether a trainer was evaluating: no gradients, and outputs that are gathered. */
    public boolean evaluates() {
        LogContext context = e.report().context();
        boolean evaluating = e.surroundings().show(Trait.EVALUATES)
                || EVALUATING.stream().anyMatch(context::says)
                || evaluatesInnermost(context.frames());
        return evaluating && STEPPING.stream().noneMatch(context::says);
    }

    /** Of a trainer's functions the innermost tells: some train in order to evaluate, most evaluate while they train. */
    private static boolean evaluatesInnermost(List<String> frames) {
        return frames.stream()
                .filter(frame -> EVALUATING.stream().anyMatch(frame::contains)
                        || TRAINING.stream().anyMatch(frame::contains))
                .findFirst()
                .filter(frame -> TRAINING.stream().noneMatch(frame::contains))
                .isPresent();
    }

    private static final List<String> EVALUATING = List.of(
            "evaluation_loop",
            "trainer.evaluate(",
            "trainer.predict(",
            "in evaluate",
            "in Trainer.evaluate",
            "in Trainer.predict",
            "in predict(",
            "in prediction_loop",
            "prediction_step",
            "nested_concat",
            "torch_pad_and_concatenate",
            "compute_validation_map",
            "in validation_step",
            "_evaluate(",
            "evaluation phase",
            "Evaluate & Predict",
            "during evaluation");

    private static final List<String> TRAINING =
            List.of("in train", "in _train", "in Trainer.train", "in _inner_training_loop", "in fit", "in backward");

    private static final List<String> STEPPING = List.of(".backward(", "in training_step", "optimizer.step(");

    /** Whether it was printed on Windows: by its paths, or because only there drivers let a pool grow beyond the card. */
    public boolean onWindows() {
        return e.surroundings().show(Trait.WINDOWS)
                || e.report().text().contains(WINDOWS_ALLOCATOR)
                || e.device() == DeviceKind.NVIDIA
                        && e.report().reservedBytes().orElse(0) > e.total().orElse(Long.MAX_VALUE);
    }

    /** Whether a server printed it: nothing about training helps. */
    public boolean serves() {
        boolean itself = e.report().framework() == Framework.VLLM
                || SERVERS.contains(e.report().library().orElse(""));
        boolean runsModels = e.report().framework().family() == Framework.Family.INFERENCE;
        if (buildsEngine()) {
            return false;
        }
        return itself
                || runsModels && !e.surroundings().show(Trait.TRAINS)
                || e.surroundings().serve();
    }

    /** Whether TensorRT was looking for the fastest kernels, before anything is served. */
    public boolean buildsEngine() {
        return e.report().library().filter("tensorrt"::equals).isPresent()
                && e.report().context().lines().stream()
                        .anyMatch(line -> BUILDING.stream().anyMatch(line::contains));
    }
}
