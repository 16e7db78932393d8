package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What helps where the optimizer's own step found no room: its states are short of it, no activation is. */
final class OptimizerRemedies {
    private static final Pattern STAGE = Pattern.compile("(?i)stage\\W{0,4}([012])(?!\\d)");

    private OptimizerRemedies() {}

    /** The next stage of DeepSpeed's where that runs, else PyTorch's own sharding. */
    static Optional<Remedy> shardFurther(Evidence e) {
        if (!applies(e) || e.isOn(Setting.SHARDING) || isFirstDeepSpeed(e)) {
            return Optional.empty();
        }
        if (!e.surroundings().show(Trait.DEEPSPEED)) {
            return WorkRemedies.shard(e);
        }
        return nextStage(e);
    }

    /** DeepSpeed's own way to spread what each device holds. */
    static Optional<Remedy> nextStage(Evidence e) {
        int next = Math.min(3, Math.max(stage(e), 1) + 1);
        return Optional.of(Remedy.manual(
                "shard",
                Optional.of("\"zero_optimization\": {\"stage\": " + next + "}"),
                Text.of("remedy.shard.why.stage")));
    }

    /** Releases up to 0.2 have neither stages to choose from nor a place for states on the host. */
    static boolean isFirstDeepSpeed(Evidence e) {
        return e.report().context().says("deepspeed/pt/");
    }

    /** Whether an optimizer was being made, with its states or its copy of the weights, or a scene: before the first step. */
    static boolean setsUp(Evidence e) {
        return e.report().context().ranThrough(SETTING_UP);
    }

    private static final List<String> SETTING_UP = List.of(
            "initialize_optimizer_states",
            "initializing optimizer states",
            "in _configure_zero_optimizer",
            "in _setup_for_real_optimizer",
            "in _create_fp32_partitions",
            "in get_megatron_optimizer",
            "in create_from_pcd",
            "in setup_model_and_optimizer",
            "in _build_model_and_main_param_groups");

    /** States on the host. */
    static Optional<Remedy> offload(Evidence e) {
        if (!applies(e) || isFirstDeepSpeed(e)) {
            return Optional.empty();
        }
        return Optional.of(Remedy.manual(
                "optimizer-offload",
                e.surroundings().show(Trait.DEEPSPEED)
                        ? Optional.of("\"offload_optimizer\": {\"device\": \"cpu\"}")
                        : Optional.empty(),
                Text.of("remedy.optimizer-offload.why" + (e.origin().loadsStates() ? ".states" : ""))));
    }

    /** States of 8 bits; what was saved in 32 is loaded as that. */
    static Optional<Remedy> fewerBits(Evidence e) {
        return applies(e) && !e.origin().loadsStates() ? own("optimizer-bits", Optional.empty()) : Optional.empty();
    }

    /** Whether the message is of PyTorch's pool, in an optimizer's step of a training, or while its states were loaded. */
    static boolean applies(Evidence e) {
        return (e.origin().isInOptimizerStep() || e.origin().loadsStates())
                && e.report().framework().family() == Family.TORCH
                && !e.report().isOfHost()
                && !e.origin().serves();
    }

    private static int stage(Evidence e) {
        return e.report().context().lines().stream()
                .map(STAGE::matcher)
                .filter(Matcher::find)
                .mapToInt(m -> Integer.parseInt(m.group(1)))
                .max()
                .orElse(1);
    }

    private static Optional<Remedy> own(String id, Optional<String> command) {
        return Optional.of(Remedy.manual(id, command, Remedy.whyOf(id)));
    }
}
