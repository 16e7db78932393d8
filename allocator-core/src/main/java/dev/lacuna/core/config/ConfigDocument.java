package dev.lacuna.core.config;

import java.util.Optional;

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
