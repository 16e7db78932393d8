package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigEditException;
import dev.lacuna.core.config.document.ConfigEditor;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changes settings of a file one after the other, wherever in it they stand. */
final class SettingEdits {
    private final ConfigPath base;
    private ConfigDocument document;

    /** @param base where the settings stand: the root, or what a recorded case wraps them in */
    SettingEdits(ConfigDocument document, ConfigPath base) {
        this.document = document;
        this.base = base;
    }

    /** The file as it is now. */
    ConfigDocument document() {
        return document;
    }

    Optional<ConfigValue> at(ConfigPath path) {
        return document.at(inFile(path));
    }

    /** Gives this setting this value, unless it has it already. */
    void set(ConfigPath path, ConfigValue value) throws InexpressibleGridException {
        if (at(path).filter(value::equals).isPresent()) {
            return;
        }
        try {
            document = new ConfigEditor(document).set(inFile(path), value);
        } catch (ConfigEditException e) {
            throw refused(path);
        }
    }

    /** Makes a mapping of patterns these; what the file's mapping says alike stays as it is written. */
    void setPatterns(ConfigPath path, Map<String, ConfigValue> patterns, Iterable<String> dropped)
            throws InexpressibleGridException {
        boolean mapping = at(path).filter(value -> value instanceof ConfigValue.Entries entries
                        && !entries.values().isEmpty())
                .isPresent();
        if (patterns.isEmpty() || !mapping) {
            set(path, patterns.isEmpty() ? ConfigValue.of(false) : new ConfigValue.Entries(patterns));
            return;
        }
        for (Map.Entry<String, ConfigValue> entry : patterns.entrySet()) {
            set(path.child(entry.getKey()), entry.getValue());
        }
        for (String pattern : dropped) {
            remove(path.child(pattern));
        }
    }

    private void remove(ConfigPath path) throws InexpressibleGridException {
        if (at(path).isEmpty()) {
            return;
        }
        try {
            document = new ConfigEditor(document).remove(inFile(path));
        } catch (ConfigEditException e) {
            throw refused(path);
        }
    }

    private static InexpressibleGridException refused(ConfigPath path) {
        return new InexpressibleGridException(List.of(new InexpressibleGridException.Obstacle(
                InvalidSettingException.WORDS.of("grid.text", path), List.of())));
    }

    private ConfigPath inFile(ConfigPath path) {
        ConfigPath whole = base;
        for (ConfigPath.Step step : path.steps()) {
            whole = step instanceof ConfigPath.Step.Key key
                    ? whole.child(key.name())
                    : whole.child(((ConfigPath.Step.Index) step).position());
        }
        return whole;
    }
}
