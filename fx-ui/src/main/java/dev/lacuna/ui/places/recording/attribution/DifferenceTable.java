package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.compare.Comparison;
import dev.lacuna.core.history.compare.Difference;
import dev.lacuna.core.history.compare.SegmentKey;
import dev.lacuna.core.history.compare.SizeClass;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.places.recording.attribution.ComparePane.By;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.ChangeText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;

/** What differs, by stack, by size or by segment: the base, the other, and the change. Virtual, sorted by any column. */
final class DifferenceTable extends TableView<DifferenceTable.Row> {
    private static final Texts TEXTS = Texts.of("who");

    /** A row: what it is called, what it selects, and both figures. */
    record Row(String name, RecordingSelection selection, Difference<?> difference) {}

    private final CompareViewModel model;

    DifferenceTable(CompareViewModel model, ReadOnlyObjectProperty<By> by) {
        this.model = model;
        setId("who-differences");
        getStyleClass().addAll("dense", "who-table");
        setFixedCellSize(FrameText.ROW_HEIGHT);
        setColumnResizePolicy(CONSTRAINED_RESIZE_POLICY);
        setPlaceholder(EmptyText.of(model.comparisonProperty(), "compare.none"));
        TableColumn<Row, String> name = new TableColumn<>();
        name.textProperty().bind(TEXTS.bind("column.what"));
        name.setPrefWidth(260);
        name.setCellValueFactory(
                row -> new ReadOnlyObjectWrapper<>(row.getValue().name()));
        getColumns().add(name);
        getColumns().add(figures("column.a", row -> row.difference().a().bytes(), ByteText::of));
        getColumns().add(figures("column.b", row -> row.difference().b().bytes(), ByteText::of));
        getColumns().add(figures("column.change", row -> row.difference().bytes(), ComparePane::signed));
        getColumns().add(figures("column.count", row -> row.difference().count(), ChangeText::ofCount));
        getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null && !now.selection().equals(RecordingSelection.NONE)) {
                model.focus().selectionProperty().set(now.selection());
            }
        });
        model.comparisonProperty().addListener((property, before, now) -> show(now, by.get()));
        by.addListener(
                (property, before, now) -> show(model.comparisonProperty().get(), now));
        Copies.install(this, this::table);
    }

    /** The rows as they stand. */
    Table table() {
        List<Table.Column> columns = List.of(
                new Table.Column("what", TEXTS.get("column.what"), false),
                new Table.Column("a_bytes", TEXTS.get("column.a"), true),
                new Table.Column("b_bytes", TEXTS.get("column.b"), true),
                new Table.Column("change_bytes", TEXTS.get("column.change"), true),
                new Table.Column("a_count", TEXTS.get("column.count") + " A", true),
                new Table.Column("b_count", TEXTS.get("column.count") + " B", true));
        return new Table(
                columns,
                getItems().stream()
                        .map(row -> List.of(
                                Table.Cell.of(row.name()),
                                Table.Cell.bytes(row.difference().a().bytes()),
                                Table.Cell.bytes(row.difference().b().bytes()),
                                Table.Cell.bytes(row.difference().bytes()),
                                Table.Cell.of(row.difference().a().count()),
                                Table.Cell.of(row.difference().b().count())))
                        .toList());
    }

    private void show(Optional<Comparison> comparison, By by) {
        getItems().setAll(comparison.map(c -> rows(c, by)).orElse(List.of()));
    }

    private static List<Row> rows(Comparison c, By by) {
        return switch (by) {
            case STACK -> c.stacks().stream().map(DifferenceTable::ofStack).toList();
            case SIZE -> c.sizes().stream().map(DifferenceTable::ofSize).toList();
            case SEGMENT ->
                c.segments().stream().map(DifferenceTable::ofSegment).toList();
            case BLOCK -> List.of();
        };
    }

    private static Row ofStack(Difference<List<Frame>> d) {
        List<Frame> outermostFirst = new ArrayList<>(d.key());
        Collections.reverse(outermostFirst);
        return new Row(
                FrameText.telling(d.key()),
                outermostFirst.isEmpty() ? RecordingSelection.NONE : new RecordingSelection.Stack(outermostFirst),
                d);
    }

    private static Row ofSize(Difference<SizeClass> d) {
        return new Row(
                TEXTS.get(
                        "narrowed.sizes",
                        ByteText.of(d.key().fromBytes()),
                        ByteText.of(d.key().toBytes())),
                new RecordingSelection.SizeClass(d.key().fromBytes(), d.key().toBytes() - 1),
                d);
    }

    private static Row ofSegment(Difference<SegmentKey> d) {
        SegmentKey key = d.key();
        String kind =
                TEXTS.get(key.expandable() ? "segment.expandable" : key.large() ? "segment.large" : "segment.small");
        return key.address().isPresent()
                ? new Row(
                        "0x" + Long.toHexString(key.address().getAsLong()) + " · " + kind,
                        new RecordingSelection.Segment(key.address().getAsLong()),
                        d)
                : new Row(TEXTS.get("segment.each", ByteText.of(key.eachBytes()), kind), RecordingSelection.NONE, d);
    }

    private static TableColumn<Row, Long> figures(String key, ToLongFunction<Row> value, Function<Long, String> text) {
        TableColumn<Row, Long> column = new TableColumn<>();
        column.textProperty().bind(TEXTS.bind(key));
        column.setPrefWidth(108);
        column.setMinWidth(82);
        column.setMaxWidth(150);
        column.getStyleClass().add("figures");
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(value.applyAsLong(row.getValue())));
        column.setCellFactory(c -> new TableCell<>() {
            @Override
            protected void updateItem(Long figure, boolean empty) {
                super.updateItem(figure, empty);
                setText(empty || figure == null ? null : text.apply(figure));
            }
        });
        return column;
    }
}
