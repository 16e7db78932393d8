package dev.lacuna.core.config.document;

import java.util.ArrayList;
import java.util.List;

/** The way from the root of a configuration to one of its values. */
public record ConfigPath(List<Step> steps) {
    /** The root itself. */
    public static final ConfigPath ROOT = new ConfigPath(List.of());

    /** One step down. */
    public sealed interface Step {
        /** Into a mapping. */
        record Key(String name) implements Step {}

        /** Into a sequence, from 0. */
        record Index(int position) implements Step {}
    }

    public ConfigPath {
        steps = List.copyOf(steps);
    }

    /** A path of keys. */
    public static ConfigPath of(String... keys) {
        ConfigPath path = ROOT;
        for (String key : keys) {
            path = path.child(key);
        }
        return path;
    }

    /** The value under this key of a mapping. */
    public ConfigPath child(String key) {
        return with(new Step.Key(key));
    }

    /** The value at this position of a sequence. */
    public ConfigPath child(int position) {
        return with(new Step.Index(position));
    }

    private ConfigPath with(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new ConfigPath(longer);
    }

    /** {@code swap_config.op_swap[0].layers}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            if (step instanceof Step.Key key) {
                text.append(text.length() == 0 ? "" : ".").append(key.name());
            } else if (step instanceof Step.Index index) {
                text.append('[').append(index.position()).append(']');
            }
        }
        return text.toString();
    }
}
