package dev.lacuna.core.config.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes values in the text of a configuration and leaves everything else as it is: comments, order, quoting, blank lines. What can be
 * changed part by part is; comments inside a value that has to be replaced whole move above it. After each change the text is read
 * again and compared, so that a change either does exactly what was asked or is refused.
 */
public final class ConfigEditor {
    private final ConfigDocument document;

    public ConfigEditor(ConfigDocument document) {
        this.document = document;
    }

    /**
     * The document with this value at this path. Missing mappings on the way are made.
     *
     * @throws ConfigEditException when the text does not admit it
     */
    public ConfigDocument set(ConfigPath path, ConfigValue value) throws ConfigEditException {
        List<TextEdit> edits = new ArrayList<>();
        Optional<ConfigNode> node = document.node(path);
        if (node.isPresent()) {
            checkOwn(path);
            change(node.get(), value, indentOfParent(path), edits);
        } else {
            insert(path, value, edits);
        }
        return checked(edits, path, Optional.of(value));
    }

    /**
     * The document without the entry at this path, which must lead to an entry of a mapping.
     *
     * @throws ConfigEditException when there is none, or the text does not admit it
     */
    public ConfigDocument remove(ConfigPath path) throws ConfigEditException {
        ConfigNode parent =
                document.node(parent(path)).orElseThrow(() -> new ConfigEditException(path, "no such entry"));
        if (!(last(path) instanceof ConfigPath.Step.Key key)
                || parent.entry(key.name()).isEmpty()) {
            throw new ConfigEditException(path, "no such entry");
        }
        checkOwn(path);
        List<TextEdit> edits = new ArrayList<>();
        if (parent.entries().size() == 1) {
            change(parent, new ConfigValue.Entries(Map.of()), indentOfParent(parent(path)), edits);
        } else if (parent.flow()) {
            removeFromFlow(parent, key.name(), edits);
        } else {
            removeLines(parent.entry(key.name()).orElseThrow(), edits);
        }
        return checked(edits, path, Optional.empty());
    }

    private ConfigDocument checked(List<TextEdit> edits, ConfigPath path, Optional<ConfigValue> wanted)
            throws ConfigEditException {
        try {
            ConfigDocument changed = ConfigReader.read(TextEdit.apply(document.text(), edits));
            if (changed.at(path).equals(wanted)) {
                return changed;
            }
        } catch (ConfigFormatException e) {
            // Falls through: the text does not admit the change.
        }
        throw new ConfigEditException(path, "the text does not admit this change; an alias may share the value");
    }

    /** Refuses paths into values that stand elsewhere and are shared. */
    private void checkOwn(ConfigPath path) throws ConfigEditException {
        ConfigNode node = document.root();
        for (ConfigPath.Step step : path.steps()) {
            if (step instanceof ConfigPath.Step.Key key
                    && node.entry(key.name()).map(ConfigNode.Entry::merged).orElse(false)) {
                throw new ConfigEditException(path, "the value comes through a merge that others share");
            }
            ConfigNode child = node.child(step).orElseThrow();
            if (child.begin() < node.begin() || child.end() > node.end()) {
                throw new ConfigEditException(path, "the value comes through an alias that others share");
            }
            node = child;
        }
    }

    /** Descends as long as the shape stays, so that only what differs is replaced. */
    private void change(ConfigNode node, ConfigValue value, int parentIndent, List<TextEdit> edits) {
        if (node.value().equals(value)) {
            return;
        }
        if (value instanceof ConfigValue.Items items && samePlaces(node, items)) {
            for (int i = 0; i < items.values().size(); i++) {
                change(node.items().get(i), items.values().get(i), column(node), edits);
            }
        } else if (value instanceof ConfigValue.Entries entries && sameKeys(node, entries)) {
            entries.values()
                    .forEach((key, part) ->
                            change(node.entry(key).orElseThrow().valueNode(), part, column(node), edits));
        } else {
            replace(node, value, parentIndent, edits);
        }
    }

    private static boolean samePlaces(ConfigNode node, ConfigValue.Items items) {
        return node.value() instanceof ConfigValue.Items
                && node.items().size() == items.values().size()
                && !items.values().isEmpty()
                && inside(node, node.items());
    }

    private static boolean sameKeys(ConfigNode node, ConfigValue.Entries entries) {
        return node.value() instanceof ConfigValue.Entries old
                && !entries.values().isEmpty()
                && old.values().keySet().equals(entries.values().keySet())
                && node.entries().size() == old.values().size()
                && inside(
                        node,
                        node.entries().stream().map(ConfigNode.Entry::valueNode).toList());
    }

    /** An alias' parts stand elsewhere. */
    private static boolean inside(ConfigNode node, List<ConfigNode> parts) {
        return parts.stream().allMatch(part -> part.begin() >= node.begin() && part.end() <= node.end());
    }

    private void replace(ConfigNode node, ConfigValue value, int parentIndent, List<TextEdit> edits) {
        String text = document.text();
        List<String> comments =
                node.flow() && !text.substring(node.begin(), node.end()).contains("\n")
                        ? List.of()
                        : SourceComments.within(text, node);
        if (!comments.isEmpty()) {
            int lineStart = text.lastIndexOf('\n', Math.max(0, keyLineOffset(node) - 1)) + 1;
            String indent = " ".repeat(Math.max(0, parentIndent));
            StringBuilder moved = new StringBuilder();
            comments.forEach(comment -> moved.append(indent).append(comment).append('\n'));
            edits.add(new TextEdit(lineStart, lineStart, moved.toString()));
        }
        boolean literal = isBlockScalar(node);
        String rendered = ConfigWriter.flow(value, document.json());
        String before = node.begin() > 0 && text.charAt(node.begin() - 1) == ':' ? " " : "";
        if (!node.flow() && column(node) <= parentIndent) {
            before = "  ";
        }
        edits.add(new TextEdit(node.begin(), node.end(), before + rendered + (literal ? "\n" : "")));
    }

    /** Where the line with the key of this value begins to be looked for: a block value may stand lines below its key. */
    private int keyLineOffset(ConfigNode node) {
        return keyOf(document.root(), node).map(ConfigNode::begin).orElse(node.begin());
    }

    private static Optional<ConfigNode> keyOf(ConfigNode within, ConfigNode wanted) {
        for (ConfigNode.Entry entry : within.entries()) {
            if (entry.valueNode() == wanted) {
                return Optional.of(entry.keyNode());
            }
            Optional<ConfigNode> below = keyOf(entry.valueNode(), wanted);
            if (below.isPresent()) {
                return below;
            }
        }
        for (ConfigNode item : within.items()) {
            Optional<ConfigNode> below = keyOf(item, wanted);
            if (below.isPresent()) {
                return below;
            }
        }
        return Optional.empty();
    }

    private boolean isBlockScalar(ConfigNode node) {
        return node.items().isEmpty()
                && node.entries().isEmpty()
                && node.end() > node.begin()
                && document.text().charAt(node.end() - 1) == '\n';
    }

    private void insert(ConfigPath path, ConfigValue value, List<TextEdit> edits) throws ConfigEditException {
        ConfigPath at = ConfigPath.ROOT;
        int depth = 0;
        while (document.node(at).isPresent() && depth < path.steps().size()) {
            ConfigPath next = new ConfigPath(path.steps().subList(0, depth + 1));
            if (document.node(next).isEmpty()) {
                break;
            }
            at = next;
            depth++;
        }
        ConfigNode holder = document.node(at).orElseThrow();
        ConfigValue nested = value;
        for (int i = path.steps().size() - 1; i > depth; i--) {
            nested = new ConfigValue.Entries(Map.of(key(path, i), nested));
        }
        checkOwn(at);
        String name = key(path, depth);
        if (holder.value() instanceof ConfigValue.Nothing || holder.entries().isEmpty()) {
            if (!(holder.value() instanceof ConfigValue.Nothing) && !(holder.value() instanceof ConfigValue.Entries)) {
                throw new ConfigEditException(path, "no mapping to put it into");
            }
            change(holder, new ConfigValue.Entries(Map.of(name, nested)), indentOfParent(at), edits);
            return;
        }
        if (holder.flow()) {
            int bracket = holder.end() - 1;
            int after = holder.entries()
                    .get(holder.entries().size() - 1)
                    .valueNode()
                    .end();
            edits.add(new TextEdit(
                    Math.min(after, bracket),
                    Math.min(after, bracket),
                    ", " + ConfigWriter.flow(ConfigValue.of(name), document.json()) + ": "
                            + ConfigWriter.flow(nested, document.json())));
        } else {
            insertLines(holder, name, nested, edits);
        }
    }

    private void insertLines(ConfigNode holder, String name, ConfigValue value, List<TextEdit> edits) {
        String text = document.text();
        int end = endOfLine(holder.end());
        String indent = " ".repeat(column(holder));
        StringBuilder lines = new StringBuilder();
        if (end == 0 || text.charAt(end - 1) != '\n') {
            lines.append('\n');
        }
        lines.append(ConfigWriter.block(name, value, indent));
        edits.add(new TextEdit(end, end, lines.toString()));
    }

    private void removeLines(ConfigNode.Entry entry, List<TextEdit> edits) {
        String text = document.text();
        int begin = text.lastIndexOf('\n', Math.max(0, entry.keyNode().begin() - 1)) + 1;
        boolean firstOfItem = !text.substring(begin, entry.keyNode().begin()).isBlank();
        int end = endOfLine(Math.max(entry.valueNode().end(), entry.keyNode().end()));
        String indent = " ".repeat(column(entry.keyNode()));
        StringBuilder kept = new StringBuilder();
        for (String comment : SourceComments.after(text, entry, end)) {
            kept.append(indent).append(comment).append('\n');
        }
        if (firstOfItem) {
            // "- key: value": the next key moves up behind the dash.
            int next = end;
            while (next < text.length() && text.charAt(next) == ' ') {
                next++;
            }
            edits.add(new TextEdit(entry.keyNode().begin(), next, ""));
            return;
        }
        edits.add(new TextEdit(begin, end, kept.toString()));
    }

    private static void removeFromFlow(ConfigNode parent, String name, List<TextEdit> edits) {
        List<ConfigNode.Entry> entries = parent.entries();
        int i = 0;
        while (!entries.get(i).key().equals(name)) {
            i++;
        }
        int begin = i == 0
                ? entries.get(0).keyNode().begin()
                : entries.get(i - 1).valueNode().end();
        int end = i == 0
                ? entries.get(1).keyNode().begin()
                : entries.get(i).valueNode().end();
        edits.add(new TextEdit(begin, end, ""));
    }

    /** The offset behind the line break of the line that holds the character before this offset. */
    private int endOfLine(int offset) {
        String text = document.text();
        if (offset > 0 && text.charAt(offset - 1) == '\n') {
            return offset;
        }
        int newline = text.indexOf('\n', offset);
        return newline < 0 ? text.length() : newline + 1;
    }

    private int column(ConfigNode node) {
        int lineStart = document.text().lastIndexOf('\n', Math.max(0, node.begin() - 1)) + 1;
        return node.begin() - Math.min(lineStart, node.begin());
    }

    private int indentOfParent(ConfigPath path) {
        return path.steps().isEmpty()
                ? -1
                : document.node(parent(path)).map(this::column).orElse(0);
    }

    private static String key(ConfigPath path, int position) throws ConfigEditException {
        if (path.steps().get(position) instanceof ConfigPath.Step.Key key) {
            return key.name();
        }
        throw new ConfigEditException(path, "there is no such item");
    }

    private static ConfigPath.Step last(ConfigPath path) throws ConfigEditException {
        if (path.steps().isEmpty()) {
            throw new ConfigEditException(path, "this is the whole document");
        }
        return path.steps().get(path.steps().size() - 1);
    }

    private static ConfigPath parent(ConfigPath path) {
        return new ConfigPath(path.steps().subList(0, Math.max(0, path.steps().size() - 1)));
    }
}
