package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.Python;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operator patterns and the layers each applies to: MindFormers' {@code _format_recompute_dict}. */
public record PatternSelections(Map<String, Selection> byPattern) {
    public PatternSelections {
        byPattern = Collections.unmodifiableMap(new LinkedHashMap<>(byPattern));
    }

    /**
     * Normalises a setting that may be a list of patterns (all layers), patterns with values, or one value for the default patterns.
     */
    static PatternSelections of(ConfigValue value, List<String> defaults, Normaliser normaliser, ConfigPath path)
            throws InvalidSettingException {
        Map<String, Selection> found = new LinkedHashMap<>();
        if (value instanceof ConfigValue.Entries entries) {
            for (Map.Entry<String, ConfigValue> entry : entries.values().entrySet()) {
                found.put(entry.getKey(), normaliser.normalise(entry.getValue(), path.child(entry.getKey())));
            }
            return new PatternSelections(found);
        }
        List<String> patterns = defaults;
        if (value instanceof ConfigValue.Items items && Python.isListOf(value, ConfigValue.Text.class::isInstance)) {
            patterns = items.values().stream()
                    .map(v -> ((ConfigValue.Text) v).value())
                    .toList();
        }
        for (String pattern : patterns) {
            found.put(pattern, normaliser.normalise(value, path));
        }
        if (patterns.size() > 1) {
            normaliser.share(value, path);
        }
        return new PatternSelections(found);
    }
}
