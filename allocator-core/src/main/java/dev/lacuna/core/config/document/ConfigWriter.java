package dev.lacuna.core.config.document;

import java.util.Map;
import java.util.stream.Collectors;

/** Writes values as text: between brackets for any place, or as lines for a list of mappings. */
final class ConfigWriter {
    private ConfigWriter() {}

    /** In flow style, or as JSON. */
    static String flow(ConfigValue value, boolean json) {
        if (value instanceof ConfigValue.Nothing) {
            return "null";
        }
        if (value instanceof ConfigValue.Flag flag) {
            return json ? Boolean.toString(flag.value()) : flag.value() ? "True" : "False";
        }
        if (value instanceof ConfigValue.Text text) {
            return json ? json(text.value()) : yaml(text.value());
        }
        if (value instanceof ConfigValue.Items items) {
            return items.values().stream().map(v -> flow(v, json)).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof ConfigValue.Entries entries) {
            return entries.values().entrySet().stream()
                    .map(e -> flow(ConfigValue.of(e.getKey()), json) + ": " + flow(e.getValue(), json))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return value.written();
    }

    /** {@code name: value} as lines that end in a line break; mappings and lists of mappings one part a line. */
    static String block(String name, ConfigValue value, String indent) {
        StringBuilder lines = new StringBuilder(indent).append(yaml(name)).append(':');
        if (value instanceof ConfigValue.Entries entries && !entries.values().isEmpty()) {
            lines.append('\n');
            entries.values().forEach((key, part) -> lines.append(block(key, part, indent + "  ")));
        } else if (value instanceof ConfigValue.Items items
                && !items.values().isEmpty()
                && items.values().stream()
                        .allMatch(v -> v instanceof ConfigValue.Entries e
                                && !e.values().isEmpty())) {
            lines.append('\n');
            items.values().forEach(item -> lines.append(item(((ConfigValue.Entries) item).values(), indent + "  ")));
        } else {
            lines.append(' ').append(flow(value, false)).append('\n');
        }
        return lines.toString();
    }

    private static String item(Map<String, ConfigValue> entries, String indent) {
        StringBuilder lines = new StringBuilder();
        entries.forEach((key, part) -> lines.append(block(key, part, indent + "  ")));
        return indent + "- " + lines.substring(indent.length() + 2);
    }

    /** A plain word where it reads back as the same text, otherwise quoted: patterns are full of backslashes, which single quotes keep. */
    private static String yaml(String text) {
        boolean plain =
                text.matches("[A-Za-z_][A-Za-z0-9_.]*") && Yaml11Scalar.resolve(text) instanceof ConfigValue.Text;
        if (plain) {
            return text;
        }
        boolean single = text.chars().noneMatch(c -> c < 0x20 || c == 0x7f);
        return single ? "'" + text.replace("'", "''") + "'" : json(text);
    }

    private static String json(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < 0x20 || c == 0x7f) {
                out.append(String.format(java.util.Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }
}
