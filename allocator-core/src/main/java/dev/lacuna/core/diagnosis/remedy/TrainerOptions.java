package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The arguments of trainers that people start and do not write: lines of code would be for another's files. */
final class TrainerOptions {
    private static final Map<Trait, String> BATCH = Map.of(
            Trait.AXOLOTL, "micro_batch_size: 1   # gradient_accumulation_steps: 8",
            Trait.HF_TRAINER, "--per_device_train_batch_size 1 --gradient_accumulation_steps 8",
            Trait.SD_SCRIPTS, "--train_batch_size=1 --gradient_accumulation_steps=4",
            Trait.ULTRALYTICS, "batch=4 imgsz=512",
            Trait.MMENGINE, "--cfg-options train_dataloader.batch_size=1",
            Trait.MEGATRON, "--micro-batch-size 1");

    private static final Map<Trait, String> RECOMPUTE = Map.of(
            Trait.AXOLOTL, "gradient_checkpointing: true",
            Trait.HF_TRAINER, "--gradient_checkpointing True",
            Trait.SD_SCRIPTS, "--gradient_checkpointing",
            Trait.MEGATRON, "--recompute-activations");

    private static final Map<Trait, String> BFLOAT16 = Map.of(
            Trait.AXOLOTL, "bf16: auto",
            Trait.HF_TRAINER, "--bf16 True",
            Trait.SD_SCRIPTS, "--mixed_precision=bf16",
            Trait.MEGATRON, "--bf16");

    private static final Map<Trait, String> FLOAT16 = Map.of(
            Trait.AXOLOTL, "fp16: true",
            Trait.HF_TRAINER, "--fp16 True",
            Trait.SD_SCRIPTS, "--mixed_precision=fp16",
            Trait.MEGATRON, "--fp16",
            Trait.MMENGINE, "--amp");

    private static final Map<Trait, String> SHARD = Map.of(
            Trait.AXOLOTL, "deepspeed: deepspeed_configs/zero3.json",
            Trait.HF_TRAINER, "--fsdp \"full_shard auto_wrap\"",
            Trait.MEGATRON, "--use-distributed-optimizer");

    /** In the order in which they are looked for: what is made of another's trainer comes first. */
    private static final Trait[] TRAINERS = {
        Trait.AXOLOTL, Trait.SD_SCRIPTS, Trait.ULTRALYTICS, Trait.MMENGINE, Trait.MEGATRON, Trait.HF_TRAINER
    };

    /** Lines of the loop, or of the model, which are the trainer's. */
    private static final Set<String> OF_CODE = Set.of("delete-loss", "no-grad", "swap");

    private TrainerOptions() {}

    static Optional<String> batch(Evidence e) {
        return of(e).map(BATCH::get);
    }

    /** Empty also where the trainer has no such argument: {@link #isKnown} tells these apart. */
    static Optional<String> recompute(Evidence e) {
        return of(e).map(RECOMPUTE::get);
    }

    static Optional<String> halfPrecision(Evidence e, boolean lacksBfloat16) {
        return of(e).map(t -> lacksBfloat16 || !BFLOAT16.containsKey(t) ? FLOAT16.get(t) : BFLOAT16.get(t));
    }

    static Optional<String> shard(Evidence e) {
        return of(e).map(SHARD::get);
    }

    /** Whether the log shows such a trainer. */
    static boolean isKnown(Evidence e) {
        return of(e).isPresent();
    }

    /** Whether a change to a training's code is none that its user makes. */
    static boolean isOfItsCode(String remedy, Evidence e) {
        return OF_CODE.contains(remedy) && isStarted(e);
    }

    /** Whether the log shows a trainer that is started and not written, whether its arguments are known or not. */
    static boolean isStarted(Evidence e) {
        boolean other = e.surroundings().show(Trait.STARTED) || e.surroundings().show(Trait.COLOCATED);
        return isKnown(e) || other && e.report().framework().family() == Family.TORCH;
    }

    private static Optional<Trait> of(Evidence e) {
        if (e.report().framework().family() != Family.TORCH || e.report().isOfHost()) {
            return Optional.empty();
        }
        for (Trait trainer : TRAINERS) {
            if (e.surroundings().show(trainer)) {
                return Optional.of(trainer);
            }
        }
        return Optional.empty();
    }
}
