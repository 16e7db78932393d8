package dev.lacuna.core.config.document;

import java.util.ArrayList;
import java.util.List;

/** Finds YAML comments between the scalars of a text: a {@code #} at the start of a line or after a blank, outside of every scalar. */
final class SourceComments {
    private SourceComments() {}

    /** Comments inside this value. */
    static List<String> within(String text, ConfigNode node) {
        List<String> comments = new ArrayList<>();
        gaps(text, node.begin(), node.end(), scalars(node), comments);
        return comments;
    }

    /** Comments between an entry's key and the end of its last line. */
    static List<String> after(String text, ConfigNode.Entry entry, int end) {
        List<ConfigNode> scalars = new ArrayList<>(List.of(entry.keyNode()));
        scalars.addAll(scalars(entry.valueNode()));
        List<String> comments = new ArrayList<>();
        gaps(text, entry.keyNode().begin(), end, scalars, comments);
        return comments;
    }

    private static void gaps(String text, int begin, int end, List<ConfigNode> scalars, List<String> into) {
        int at = begin;
        for (ConfigNode scalar : scalars) {
            if (scalar.begin() >= at && scalar.end() <= end) {
                gap(text, at, scalar.begin(), into);
                at = scalar.end();
            }
        }
        gap(text, at, end, into);
    }

    private static void gap(String text, int begin, int end, List<String> into) {
        int at = begin;
        while (at < end) {
            boolean starts = text.charAt(at) == '#' && (at == 0 || Character.isWhitespace(text.charAt(at - 1)));
            if (!starts) {
                at++;
                continue;
            }
            int newline = text.indexOf('\n', at);
            int stop = newline < 0 ? text.length() : newline;
            into.add(text.substring(at, stop).stripTrailing());
            at = stop;
        }
    }

    private static List<ConfigNode> scalars(ConfigNode node) {
        List<ConfigNode> found = new ArrayList<>();
        collect(node, found);
        return found;
    }

    private static void collect(ConfigNode node, List<ConfigNode> into) {
        if (node.items().isEmpty() && node.entries().isEmpty()) {
            into.add(node);
        }
        node.items().forEach(item -> collect(item, into));
        node.entries().forEach(entry -> {
            into.add(entry.keyNode());
            collect(entry.valueNode(), into);
        });
    }
}
