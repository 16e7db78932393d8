package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.base.ByteSize;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows and columns on their way out. Cells hold what people read and what programs read: {@code 2.73 GiB} and
 * {@code 2931315180}.
 *
 * @param columns what stands above
 * @param rows as many cells each as there are columns
 */
public record Table(List<Column> columns, List<List<Cell>> rows) {
    /**
     * A column.
     *
     * @param id its name for programs, such as {@code live_bytes}
     * @param title its name for people
     * @param figures whether its cells are figures, which stand to the right
     */
    public record Column(String id, String title, boolean figures) {}

    /**
     * A cell.
     *
     * @param text for people
     * @param value for programs
     */
    public record Cell(String text, String value) {
        /** The same for both. */
        public static Cell of(String text) {
            return new Cell(text, text);
        }

        /** A whole number. */
        public static Cell of(long number) {
            return of(Long.toString(number));
        }

        /** Bytes: in the unit that fits for people, every byte for programs. */
        public static Cell bytes(long bytes) {
            return new Cell(ByteSize.format(bytes), Long.toString(bytes));
        }
    }

    public Table {
        columns = List.copyOf(columns);
        List<List<Cell>> whole = new ArrayList<>(rows.size());
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(row.size() + " cells under " + columns.size() + " columns");
            }
            whole.add(List.copyOf(row));
        }
        rows = List.copyOf(whole);
    }
}
