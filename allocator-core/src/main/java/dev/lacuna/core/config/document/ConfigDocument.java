package dev.lacuna.core.config.document;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A configuration file that was understood: its text, its values, and where each of them stands. */
public final class ConfigDocument {
    private final String text;
    private final ConfigNode root;
    private final boolean json;

    ConfigDocument(String text, ConfigNode root, boolean json) {
        this.text = text;
        this.root = root;
        this.json = json;
    }

    /** The file's text, as read. */
    public String text() {
        return text;
    }

    /** Its content. */
    public ConfigValue value() {
        return root.value();
    }

    /** What stands at this path. */
    public Optional<ConfigValue> at(ConfigPath path) {
        return node(path).map(ConfigNode::value);
    }

    /** The line (from 1) on which the value at this path begins, or the nearest value above that is present. */
    public int lineOf(ConfigPath path) {
        ConfigNode node = root;
        int line = root.line();
        for (ConfigPath.Step step : path.steps()) {
            Optional<ConfigNode> child = node.child(step);
            if (child.isEmpty()) {
                break;
            }
            line = step instanceof ConfigPath.Step.Key key
                    ? node.entry(key.name()).orElseThrow().keyNode().line()
                    : child.get().line();
            node = child.get();
        }
        return line;
    }

    /** The same file seen from the value at this path; the places stay those in the file. */
    public Optional<ConfigDocument> below(ConfigPath path) {
        return node(path).map(node -> new ConfigDocument(text, node, json));
    }

    /**
     * A key that is given more than once in one mapping; the last one holds.
     *
     * @param lines where it stands, from 1
     */
    public record DuplicateKey(ConfigPath path, List<Integer> lines) {
        public DuplicateKey {
            lines = List.copyOf(lines);
        }

        /** The lines, with commas. */
        public String lineList() {
            return lines.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
    }

    /** Keys given more than once, from top to bottom; what merges bring is meant to be overridden. */
    public List<DuplicateKey> duplicateKeys() {
        List<DuplicateKey> found = new ArrayList<>();
        collect(root, ConfigPath.ROOT, Collections.newSetFromMap(new IdentityHashMap<>()), found);
        return found;
    }

    /** @param seen lists of entries already looked at: an alias repeats them */
    private static void collect(
            ConfigNode node, ConfigPath path, Set<List<ConfigNode.Entry>> seen, List<DuplicateKey> found) {
        for (int i = 0; i < node.items().size(); i++) {
            collect(node.items().get(i), path.child(i), seen, found);
        }
        if (node.entries().isEmpty() || !seen.add(node.entries())) {
            return;
        }
        Map<String, List<Integer>> lines = new LinkedHashMap<>();
        node.entries().stream()
                .filter(entry -> !entry.merged())
                .forEach(entry -> lines.computeIfAbsent(entry.key(), key -> new ArrayList<>())
                        .add(entry.keyNode().line()));
        lines.forEach((key, where) -> {
            if (where.size() > 1) {
                found.add(new DuplicateKey(path.child(key), where));
            }
        });
        for (ConfigNode.Entry entry : node.entries()) {
            if (!entry.merged()) {
                collect(entry.valueNode(), path.child(entry.key()), seen, found);
            }
        }
    }

    boolean json() {
        return json;
    }

    ConfigNode root() {
        return root;
    }

    Optional<ConfigNode> node(ConfigPath path) {
        Optional<ConfigNode> node = Optional.of(root);
        for (ConfigPath.Step step : path.steps()) {
            node = node.flatMap(n -> n.child(step));
        }
        return node;
    }
}
