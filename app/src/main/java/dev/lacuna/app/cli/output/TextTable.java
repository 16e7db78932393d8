package dev.lacuna.app.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Columns of text that line up on a terminal, where Chinese characters take two places. */
public final class TextTable {
    private static final String BETWEEN = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** A row; the first one is the head. The first cell is set left, all others right. */
    public void add(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /** The lines without a newline at the end. */
    public String text() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int c = 0; c < columns; c++) {
                widths[c] = Math.max(widths[c], width(row.get(c)));
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                String blanks = " ".repeat(widths[c] - width(row.get(c)));
                line.append(c == 0 ? "" : BETWEEN).append(c == 0 ? row.get(c) + blanks : blanks + row.get(c));
            }
            lines.add(line.toString().stripTrailing());
        }
        return String.join("\n", lines);
    }

    /** Places that a text takes on a terminal. */
    public static int width(String text) {
        return text.codePoints().map(c -> isWide(c) ? 2 : 1).sum();
    }

    /** Han, kana, Hangul, and full-width forms: what East Asian terminals set in two places. */
    private static boolean isWide(int c) {
        return c >= 0x1100 && c <= 0x115F
                || c >= 0x2E80 && c <= 0xA4CF
                || c >= 0xAC00 && c <= 0xD7A3
                || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFE30 && c <= 0xFE6F
                || c >= 0xFF00 && c <= 0xFF60
                || c >= 0xFFE0 && c <= 0xFFE6
                || c >= 0x20000 && c <= 0x3FFFD;
    }
}
