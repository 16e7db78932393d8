package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import java.util.List;

/** {@code recompute_config} as given, absent keys with the framework's defaults. */
public record RecomputeSettings(
        ConfigValue recompute,
        ConfigValue select,
        ConfigValue comm,
        ConfigValue selectExclude,
        ConfigValue commExclude,
        boolean parallelOptimizerComm,
        boolean modelParallelComm,
        boolean sliceActivation) {
    public static final ConfigPath PATH = ConfigPath.of("recompute_config");
    static final List<String> KEYS = List.of(
            "recompute",
            "select_recompute",
            "select_comm_recompute",
            "select_recompute_exclude",
            "select_comm_recompute_exclude",
            "parallel_optimizer_comm_recompute",
            "mp_comm_recompute",
            "recompute_slice_activation");

    public static RecomputeSettings read(ConfigDocument file) throws InvalidSettingException {
        ConfigValue section = file.at(PATH).orElse(ConfigValue.nothing());
        if (!(section instanceof ConfigValue.Entries) && !(section instanceof ConfigValue.Nothing)) {
            throw new InvalidSettingException(PATH, "section.type", section.literal());
        }
        return new RecomputeSettings(
                given(file, KEYS.get(0)),
                given(file, KEYS.get(1)),
                given(file, KEYS.get(2)),
                given(file, KEYS.get(3)),
                given(file, KEYS.get(4)),
                flag(file, KEYS.get(5), false),
                flag(file, KEYS.get(6), true),
                flag(file, KEYS.get(7), false));
    }

    private static ConfigValue given(ConfigDocument file, String key) {
        return file.at(PATH.child(key)).orElse(ConfigValue.of(false));
    }

    private static boolean flag(ConfigDocument file, String key, boolean absent) throws InvalidSettingException {
        ConfigValue value = file.at(PATH.child(key)).orElse(ConfigValue.of(absent));
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value();
        }
        throw new InvalidSettingException(PATH.child(key), "flag.type", value.literal());
    }
}
