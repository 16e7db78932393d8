package dev.lacuna.app.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Columns of words, all set left. */
public final class LeftTable {
    private final List<List<String>> rows = new ArrayList<>();

    public LeftTable(List<String> head) {
        add(head);
    }

    public void add(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /** The lines without a newline at the end. */
    public String text() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int c = 0; c < columns; c++) {
                widths[c] = Math.max(widths[c], TextTable.width(row.get(c)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                line.append(row.get(c)).append(" ".repeat(widths[c] - TextTable.width(row.get(c)) + 2));
            }
            text.append(text.length() == 0 ? "" : "\n").append(line.toString().stripTrailing());
        }
        return text.toString();
    }
}
