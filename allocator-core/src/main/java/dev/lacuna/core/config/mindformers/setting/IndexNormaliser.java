package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
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
