package dev.lacuna.app.cli.output;

import dev.lacuna.core.diagnosis.report.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code --csv FILE} and {@code --png FILE}: what the window's menu of a chart saves, beside what a command prints. */
public final class ChartFiles {
    @Option(names = "--png", paramLabel = "FILE")
    private Optional<Path> png = Optional.empty();

    @Mixin
    private TableOutput table = new TableOutput();

    /** Whether a file is asked for. */
    public boolean isAsked() {
        return png.isPresent() || table.isAsked();
    }

    /** Whether a picture is asked for. */
    public boolean isPicture() {
        return png.isPresent();
    }

    /** Says now, not when the work is done, where a file that is asked for could not be written. */
    public void probe() {
        table.probe();
        png.ifPresent(TableOutput::probe);
    }

    /** Writes the files that are asked for. */
    public void write(Supplier<Table> figures, Supplier<byte[]> picture) {
        try {
            png.ifPresent(file -> TableOutput.save(file, picture.get()));
        } finally { // Where one cannot be written the other is.
            if (table.isAsked()) {
                table.write(figures.get());
            }
        }
    }

    /** A table for programs; columns that begin with {@code #} hold figures. */
    public static Table table(List<String> columns, Stream<List<?>> rows) {
        return new Table(
                columns.stream()
                        .map(name -> name.startsWith("#") ? name.substring(1) : name)
                        .map(id -> new Table.Column(id, id, columns.contains("#" + id)))
                        .toList(),
                rows.map(row -> row.stream()
                                .map(cell -> Table.Cell.of(String.valueOf(cell)))
                                .toList())
                        .toList());
    }
}
