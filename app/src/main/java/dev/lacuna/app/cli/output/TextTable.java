package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.TextWidth;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Columns of text that line up on a terminal, where Chinese characters take two places. The first row is the head. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();
    private final List<UnaryOperator<String>> looks = new ArrayList<>();
    private final String between;
    private final boolean figures;

    private TextTable(String between, boolean figures) {
        this.between = between;
        this.figures = figures;
    }

    /** A table of figures: the first cell of a row is set left, all others right. */
    public static TextTable ofFigures() {
        return new TextTable("   ", true);
    }

    /** A table of words, all set left. */
    public static TextTable ofWords(List<String> head) {
        TextTable table = new TextTable("  ", false);
        table.add(head);
        return table;
    }

    /** The head, and then a row. */
    public void add(List<String> cells) {
        add(cells, rows.isEmpty() ? Style.out()::heading : UnaryOperator.identity());
    }

    /** A row whose line looks so, such as {@code Style.out()::good}. */
    public void add(List<String> cells, UnaryOperator<String> look) {
        rows.add(List.copyOf(cells));
        looks.add(look);
    }

    /** The lines without a newline at the end. */
    public String text() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], TextWidth.of(row.get(c)));
            }
        }
        return IntStream.range(0, rows.size())
                .mapToObj(r -> looks.get(r).apply(line(rows.get(r), widths)))
                .collect(Collectors.joining("\n"));
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < widths.length; c++) {
            String blanks = " ".repeat(widths[c] - TextWidth.of(row.get(c)));
            line.append(c == 0 ? "" : between).append(figures && c > 0 ? blanks + row.get(c) : row.get(c) + blanks);
        }
        return line.toString().stripTrailing();
    }
}
