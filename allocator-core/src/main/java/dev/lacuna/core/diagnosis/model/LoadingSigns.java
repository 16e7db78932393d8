package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the lines next to a message show that weights were being loaded when memory ran out: the innermost frames of its
 * traceback, or a progress bar of shards that is not at its end. Elsewhere in a log the same words tell of what is past.
 */
final class LoadingSigns {
    /** Functions that do nothing but load, of PyTorch, Transformers, Accelerate, Paddle. */
    private static final List<String> FRAMES = List.of(
            "set_module_tensor_to_device",
            "new_value = value.to(device)",
            "in persistent_load",
            "in restore_location",
            "in default_restore_location",
            "_cuda_deserialize",
            "_cuda_reload",
            "in load_state_dict",
            "optimizer.load_state_dict(",
            "_load_state_dict_into",
            "in load_checkpoint",
            "in load_weights",
            "in load_single_module",
            "in load_model",
            "return self._apply(convert)",
            "error loading model: unable to allocate",
            "param_applied = fn(param)",
            "return t.to(",
            "self._apply(lambda t: t.",
            "in load_models_gpu",
            "in partially_load",
            "in patch_weight_to_device",
            "in model_load",
            "in load_model_weights",
            "paddle/framework/io.py",
            "paddle\\framework\\io.py",
            "paddle.load(",
            "ShardCannotStart",
            "DistributedDataParallel(",
            "in _ddp_init_helper",
            "in _sync_module_states",
            "torch.load(");

    /** Those of them that do nothing else however far in memory ran out. */
    private static final List<String> ANYWHERE =
            List.of("in load_state_dict", "_load_state_dict_into", "in load_checkpoint", "in load_weights");

    /** An optimizer's own loading, or what calls it. */
    private static final List<String> STATES = List.of(
            "optimizer.load_state_dict(",
            "optim/optimizer.py\", line",
            "optim\\optimizer.py\", line",
            "optim/optimizer.py in load_state_dict",
            "optim/optimizer.py:");

    private static final List<String> WORK = List.of(".backward(", "in backward", "in forward", "optimizer.step");
    private static final Pattern SHARDS = Pattern.compile("Loading [\\w ]{0,24}shards:\\s{0,4}(\\d{1,3})%");

    private LoadingSigns() {}

    /** Whether they do. */
    static boolean of(OomReport report) {
        List<String> lines = report.context().lines();
        return lines.stream().noneMatch(line -> WORK.stream().anyMatch(line::contains))
                && (lines.stream().anyMatch(line -> FRAMES.stream().anyMatch(line::contains) || loadsShards(line))
                        || report.context().frames().stream()
                                .anyMatch(line -> ANYWHERE.stream().anyMatch(line::contains)))
                && report.context() != LogContext.NONE;
    }

    /** Whether what was loaded is what an optimizer keeps for each parameter. */
    static boolean ofStates(OomReport report) {
        return of(report) && report.context().ranThrough(STATES);
    }

    private static boolean loadsShards(String line) {
        Matcher bar = SHARDS.matcher(line);
        return bar.find() && Integer.parseInt(bar.group(1)) < 100;
    }
}
