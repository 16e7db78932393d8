package dev.lacuna.core.mindformers;

import dev.lacuna.core.config.ConfigPath;
import dev.lacuna.core.config.ConfigValue;
import java.util.List;

/** With swap on, {@code recompute} and its like name layers by index: MindFormers' {@code _format_recompute_list_select_layer_index}. */
final class IndexNormaliser implements Normaliser {
    @Override
    public Selection normalise(ConfigValue value, ConfigPath path) throws InvalidSettingException {
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value() ? new Selection.Everywhere() : new Selection.ByIndex(List.of());
        }
        if (value instanceof ConfigValue.Items items
                && Python.isListOf(value, v -> Python.integer(v).isPresent())) {
            return new Selection.ByIndex(items.values());
        }
        throw new InvalidSettingException(path, "indices.type", value.literal());
    }
}
