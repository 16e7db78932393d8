package dev.lacuna.app.cli.mindformers;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.config.mindformers.MindformersJson;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.setting.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A MindFormers configuration as text for people: the grid, layers that get the same in one row, and what to know about it. */
final class MindformersText {
    private final String source;
    private final Locale locale;

    MindformersText(String source, Locale locale) {
        this.source = source;
        this.locale = locale;
    }

    String of(MindformersResult result) {
        if (result instanceof MindformersResult.Invalid invalid) {
            return CliText.text("mindformers.invalid", source) + "\n  " + MindformersJson.error(invalid, locale);
        }
        return valid((MindformersResult.Valid) result);
    }

    private String valid(MindformersResult.Valid result) {
        StringBuilder text = new StringBuilder(CliText.text(
                result.swapOn() ? "mindformers.valid.swap" : "mindformers.valid",
                source,
                Integer.toString(result.layers().layers()),
                Integer.toString(result.layers().stages()),
                Integer.toString(result.layers().interleaves())));
        text.append("\n\n").append(CliText.text("mindformers.stages"));
        result.layers()
                .counts()
                .forEach(row -> text.append("\n  ")
                        .append(row.stream().map(String::valueOf).collect(Collectors.joining(" "))));
        text.append("\n\n").append(grid(result.grid()));
        List<String> log = new ArrayList<>(result.formative());
        log.addAll(result.lines());
        section(text, "mindformers.log", log);
        List<String> warnings = new ArrayList<>(result.frameworkWarnings());
        result.environmentWarnings().forEach(note -> warnings.add(sentence(note)));
        section(text, "mindformers.warnings", warnings);
        section(
                text,
                "mindformers.notes",
                result.notes().stream().map(this::sentence).toList());
        return text.append('\n').toString();
    }

    private String sentence(Note note) {
        return note.path() + ": " + note.message().text(locale);
    }

    private static void section(StringBuilder text, String title, List<String> sentences) {
        if (!sentences.isEmpty()) {
            text.append("\n\n").append(CliText.text(title));
            sentences.forEach(sentence -> text.append("\n  ").append(sentence));
        }
    }

    private static String grid(List<LayerState> rows) {
        TextTable table = TextTable.ofWords(List.of(
                CliText.text("mindformers.column.layers"),
                CliText.text("mindformers.column.stage"),
                CliText.text("mindformers.column.recomputed"),
                CliText.text("mindformers.column.communication"),
                CliText.text("mindformers.column.swapped"),
                CliText.text("mindformers.column.void")));
        int first = 0;
        for (int i = 1; i <= rows.size(); i++) {
            if (i == rows.size() || !cells(rows.get(i)).equals(cells(rows.get(first)))) {
                List<String> cells = new ArrayList<>();
                cells.add(first == i - 1 ? Integer.toString(first) : first + "–" + (i - 1));
                cells.addAll(cells(rows.get(first)));
                table.add(cells);
                first = i;
            }
        }
        return table.text();
    }

    private static List<String> cells(LayerState row) {
        return List.of(
                row.stage() + (row.interleave() == 0 ? "" : "/" + row.interleave()),
                row.fullRecompute()
                        ? CliText.text("mindformers.everything")
                        : named(row, o -> o.recompute() == OperatorState.Recompute.SELECT),
                named(row, OperatorState::commRecompute),
                swapped(row),
                named(
                        row,
                        o -> o.fate() == OperatorState.SwapFate.RECOMPUTED
                                || o.fate() == OperatorState.SwapFate.CONSUMER_RECOMPUTED));
    }

    private static String named(LayerState row, Predicate<OperatorState> chosen) {
        List<String> names = row.operators().stream()
                .filter(chosen)
                .map(OperatorState::operator)
                .toList();
        if (names.isEmpty()) {
            return "-";
        }
        return names.size() == row.operators().size()
                ? CliText.text("mindformers.everything")
                : String.join(", ", collapsed(names, row));
    }

    /** A cell's name in place of all its operators. */
    private static List<String> collapsed(List<String> names, LayerState row) {
        Map<String, Long> all =
                row.operators().stream().collect(Collectors.groupingBy(o -> cell(o.operator()), Collectors.counting()));
        Map<String, Long> chosen =
                names.stream().collect(Collectors.groupingBy(MindformersText::cell, Collectors.counting()));
        return names.stream()
                .map(name -> chosen.get(cell(name)).equals(all.get(cell(name))) && all.get(cell(name)) > 1
                        ? cell(name)
                        : name)
                .distinct()
                .toList();
    }

    private static String cell(String operator) {
        return operator.contains(".") ? operator.substring(0, operator.indexOf('.')) : operator;
    }

    /** Operators that are swapped, those with one prefetch together. */
    private static String swapped(LayerState row) {
        List<String> groups = row.operators().stream()
                .filter(o -> o.fate() == OperatorState.SwapFate.SWAPPED)
                .map(o -> o.prefetch().orElse(""))
                .distinct()
                .map(prefetch -> named(
                                row,
                                o -> o.fate() == OperatorState.SwapFate.SWAPPED
                                        && o.prefetch().orElse("").equals(prefetch))
                        + " (" + prefetch + ")")
                .toList();
        return groups.isEmpty() ? "-" : String.join(", ", groups);
    }
}
