package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.base.TextWidth;
import dev.lacuna.core.diagnosis.report.Table.Cell;
import dev.lacuna.core.diagnosis.report.Table.Column;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table as text, for clipboards and files. Lines end in {@code \n}. */
public final class TableText {
    private TableText() {}

    /** Comma-separated values (RFC 4180 but for its line ends): column ids above, values for programs below. */
    public static String csv(Table table) {
        StringBuilder out = new StringBuilder();
        line(out, table.columns().stream().map(Column::id).toList());
        for (List<Cell> row : table.rows()) {
            line(out, row.stream().map(Cell::value).toList());
        }
        return out.toString();
    }

    /** Columns held apart by spaces, figures to the right. */
    public static String plain(Table table) {
        int[] widths = IntStream.range(0, table.columns().size())
                .map(c -> Math.max(
                        TextWidth.of(table.columns().get(c).title()),
                        table.rows().stream()
                                .mapToInt(row -> TextWidth.of(row.get(c).text()))
                                .max()
                                .orElse(0)))
                .toArray();
        StringBuilder out = new StringBuilder();
        plainLine(
                out, table, widths, table.columns().stream().map(Column::title).toList());
        for (List<Cell> row : table.rows()) {
            plainLine(out, table, widths, row.stream().map(Cell::text).toList());
        }
        return out.toString();
    }

    /** A table of Markdown. */
    public static String markdown(Table table) {
        StringBuilder out = new StringBuilder();
        markdownLine(out, table.columns().stream().map(Column::title).toList());
        out.append(table.columns().stream()
                .map(column -> column.figures() ? "---:" : "---")
                .collect(Collectors.joining(" | ", "| ", " |\n")));
        for (List<Cell> row : table.rows()) {
            markdownLine(out, row.stream().map(Cell::text).toList());
        }
        return out.toString();
    }

    private static void line(StringBuilder out, List<String> cells) {
        out.append(cells.stream().map(TableText::quoted).collect(Collectors.joining(",")))
                .append('\n');
    }

    /** Also quotes what a spreadsheet would take for a formula, with a space before it. */
    private static String quoted(String cell) {
        boolean formula = cell.matches("(?s)[=+@\t\r].*") || cell.matches("(?s)-.*") && !cell.matches("-[\\d.,]+");
        String safe = formula ? " " + cell : cell;
        return formula || safe.matches("(?s).*[\",\r\n].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    private static void plainLine(StringBuilder out, Table table, int[] widths, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < widths.length; c++) {
            String gap = " ".repeat(Math.max(0, widths[c] - TextWidth.of(cells.get(c))));
            String cell = cells.get(c).replace('\n', ' ');
            line.append(c == 0 ? "" : "  ").append(table.columns().get(c).figures() ? gap + cell : cell + gap);
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    private static void markdownLine(StringBuilder out, List<String> cells) {
        out.append(cells.stream()
                .map(cell -> cell.replace("\\", "\\\\")
                        .replace("|", "\\|")
                        .replace("<", "&lt;")
                        .replace('\n', ' '))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
    }
}
