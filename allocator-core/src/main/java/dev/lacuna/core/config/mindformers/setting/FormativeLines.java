package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What MindFormers logs of the settings once it has normalised them, in its order and in Python's notation. */
public final class FormativeLines {
    private FormativeLines() {}

    /** The lines, without the logger's own time and place. */
    public static List<String> of(NormalisedSettings settings) {
        List<String> lines = new ArrayList<>();
        lines.add("Formative layer_recompute: " + python(settings.recompute()));
        lines.add("The configuration of select_recompute_exclude and select_comm_recompute_exclude"
                + " have the highest priority.");
        settings.removed()
                .forEach(removed -> lines.add("The pattern %s in %s conflicts with %s_exclude and will be removed."
                        .formatted(removed.pattern(), removed.setting(), removed.setting())));
        lines.add("Formative select_recompute: " + patterns(settings.select()));
        lines.add("Formative select_comm_recompute: " + patterns(settings.comm()));
        lines.add("Formative select_recompute_exclude: " + patterns(settings.selectExclude()));
        lines.add("Formative select_comm_recompute_exclude: " + patterns(settings.commExclude()));
        if (settings.swapOn()) {
            lines.add("Formative layer swap: " + entries(settings.layerSwap()));
            lines.add("Formative op swap: "
                    + dictionary(settings.opSwap().entrySet().stream()
                            .map(group -> text(group.getKey()) + ": " + entries(group.getValue()))
                            .toList()));
        }
        return List.copyOf(lines);
    }

    private static String patterns(PatternSelections selections) {
        return dictionary(selections.byPattern().entrySet().stream()
                .map((Map.Entry<String, Selection> entry) -> text(entry.getKey()) + ": " + python(entry.getValue()))
                .toList());
    }

    private static String dictionary(List<String> entries) {
        return "{" + String.join(", ", entries) + "}";
    }

    private static String entries(List<SwapEntry> entries) {
        return entries.stream()
                .map(entry -> "{'backward_prefetch': " + python(entry.prefetch()) + ", 'layers': "
                        + python(entry.layers()) + "}")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String python(Selection selection) {
        if (selection instanceof Selection.FirstOfEach counts) {
            return counts.counts().toString();
        }
        return selection instanceof Selection.ByIndex index
                ? index.layers().stream().map(FormativeLines::python).collect(Collectors.joining(", ", "[", "]"))
                : "True";
    }

    private static String python(ConfigValue value) {
        if (value instanceof ConfigValue.Nothing) {
            return "None";
        }
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value() ? "True" : "False";
        }
        return value instanceof ConfigValue.Text text ? text(text.value()) : value.literal();
    }

    /** As {@code repr} writes it: a backslash twice, and double quotes only around a single one. */
    private static String text(String value) {
        String escaped = value.replace("\\", "\\\\");
        return value.contains("'") && !value.contains("\"")
                ? '"' + escaped + '"'
                : "'" + escaped.replace("'", "\\'") + "'";
    }
}
