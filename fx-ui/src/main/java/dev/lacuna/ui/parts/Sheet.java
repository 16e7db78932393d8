package dev.lacuna.ui.parts;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A table on its way to the clipboard or a file, row by row: what people read is written as the window writes it, what programs read is exact.
 * Columns have their titles in the bundle {@code parts}, {@code column.ID}; one whose name ends in {@code _bytes} holds bytes.
 */
public final class Sheet {
    private static final Texts TEXTS = Texts.of("parts");

    private final List<Table.Column> columns;
    private final List<List<Table.Cell>> rows = new ArrayList<>();

    private Sheet(List<Table.Column> columns) {
        this.columns = columns;
    }

    /** A sheet of columns of these names; those that begin with {@code #} hold figures. */
    public static Sheet of(String... names) {
        return new Sheet(Stream.of(names)
                .map(name -> name.startsWith("#") ? name.substring(1) : name)
                .map(id -> new Table.Column(
                        id, TEXTS.get("column." + id), List.of(names).contains("#" + id)))
                .toList());
    }

    /** The same with another column of figures, which has this title and is called so by programs too. */
    public Sheet with(String title) {
        List<Table.Column> more = new ArrayList<>(columns);
        more.add(new Table.Column(title + "_bytes", title, true));
        return new Sheet(more);
    }

    /** Adds a row: words, whole numbers, which are bytes in columns of bytes, and fractions. */
    public void row(List<?> cells) {
        List<Table.Cell> row = new ArrayList<>();
        for (Object cell : cells) {
            boolean bytes = columns.get(row.size()).id().endsWith("_bytes");
            row.add(
                    cell instanceof Long number && bytes
                            ? new Table.Cell(ByteText.of(number), Long.toString(number))
                            : cell instanceof Double fraction
                                    ? Table.Cell.of(String.format(Locale.ROOT, "%.4f", fraction))
                                    : Table.Cell.of(String.valueOf(cell)));
        }
        rows.add(row);
    }

    /** All of it. */
    public Table table() {
        return new Table(columns, rows);
    }
}
