package dev.lacuna.core.config.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value with its place in the text: characters {@code [begin, end)}. A collection's end is that of its last part (block style) or of
 * its closing bracket (flow style), so that neither trailing blanks nor comments belong to it.
 *
 * @param line line of the first character, from 1
 * @param flow written between brackets; scalars count as flow
 * @param items parts of a sequence, else empty
 * @param entries parts of a mapping in order, later duplicates last, else empty
 */
record ConfigNode(
        ConfigValue value, int line, int begin, int end, boolean flow, List<ConfigNode> items, List<Entry> entries) {
    /** One entry of a mapping; {@code merged} ones came through {@code <<}. */
    record Entry(String key, ConfigNode keyNode, ConfigNode valueNode, boolean merged) {}

    ConfigNode {
        items = List.copyOf(items);
        entries = List.copyOf(entries);
    }

    static ConfigNode scalar(ConfigValue value, int line, int begin, int end) {
        return new ConfigNode(value, line, begin, end, true, List.of(), List.of());
    }

    static ConfigNode sequence(List<ConfigNode> items, int line, int begin, int end, boolean flow) {
        ConfigValue value =
                new ConfigValue.Items(items.stream().map(ConfigNode::value).toList());
        return new ConfigNode(value, line, begin, end, flow, items, List.of());
    }

    static ConfigNode mapping(List<Entry> entries, int line, int begin, int end, boolean flow) {
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        entries.forEach(entry -> values.put(entry.key(), entry.valueNode().value()));
        return new ConfigNode(new ConfigValue.Entries(values), line, begin, end, flow, List.of(), entries);
    }

    /** The same content at the place of an alias. */
    ConfigNode at(int aliasLine, int aliasBegin, int aliasEnd) {
        return new ConfigNode(value, aliasLine, aliasBegin, aliasEnd, true, items, entries);
    }

    /** The entry that holds: the last of its key. */
    Optional<Entry> entry(String key) {
        return entries.stream().filter(e -> e.key().equals(key)).reduce((first, later) -> later);
    }

    Optional<ConfigNode> child(ConfigPath.Step step) {
        if (step instanceof ConfigPath.Step.Key key) {
            return entry(key.name()).map(Entry::valueNode);
        }
        int position = ((ConfigPath.Step.Index) step).position();
        return position < items.size() ? Optional.of(items.get(position)) : Optional.empty();
    }
}
