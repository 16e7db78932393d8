package dev.lacuna.app.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.core.base.file.UnwritableException;
import dev.lacuna.core.base.file.WholeFile;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.report.TableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code --csv FILE}: the figures that the window's menu of a chart saves, without the window. */
public final class TableOutput {
    @Option(names = "--csv", paramLabel = "FILE")
    private Optional<Path> csv = Optional.empty();

    /** Whether a file is asked for. */
    public boolean isAsked() {
        return csv.isPresent();
    }

    /** Writes the file, where one is asked for. */
    public void write(Table table) {
        csv.ifPresent(file -> save(file, TableText.csv(table).getBytes(StandardCharsets.UTF_8)));
    }

    /** Says now, not when the work is done, where the file could not be written. */
    void probe() {
        csv.ifPresent(TableOutput::probe);
    }

    /** Says now, not when the work is done, where a file could not be written. */
    public static void probe(Path file) {
        attempt(file, () -> WholeFile.probe(file));
    }

    /** Writes a file whole, or says why that was not possible. */
    public static void save(Path file, byte[] content) {
        attempt(file, () -> WholeFile.write(file, content));
    }

    private static void attempt(Path file, Writing writing) {
        try {
            writing.run();
        } catch (UnwritableException e) {
            throw new CommandFailure(
                    ExitStatus.INPUT, CliText.text("output.failed", file.toString(), e.text(Locale.getDefault())));
        }
    }

    private interface Writing {
        void run() throws UnwritableException;
    }

    /** The field {@code rows}: an object for each, whose keys are the table's columns; figures are numbers. */
    public static void rows(JsonGenerator out, Table table) throws IOException {
        out.writeArrayFieldStart("rows");
        for (List<Table.Cell> row : table.rows()) {
            out.writeStartObject();
            for (int c = 0; c < row.size(); c++) {
                cell(out, table.columns().get(c), row.get(c).value());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void cell(JsonGenerator out, Table.Column column, String value) throws IOException {
        if (!column.figures()) {
            out.writeStringField(column.id(), value);
        } else if (value.isEmpty()) {
            out.writeNullField(column.id());
        } else {
            out.writeFieldName(column.id());
            out.writeNumber(value);
        }
    }
}
