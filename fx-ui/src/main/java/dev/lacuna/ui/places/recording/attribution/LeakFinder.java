package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.compare.BlockMatch;
import dev.lacuna.core.history.compare.Comparison;
import dev.lacuna.core.history.compare.Held;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.scene.control.CheckBox;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** Blocks that only the base has, that both have, that only the other has: three boxes to tick, each with count and bytes. */
final class LeakFinder extends VBox {
    private static final Texts TEXTS = Texts.of("who");

    /** More rows nobody reads; the boxes say how many there are. */
    private static final int MOST_ROWS = 10_000;

    /** A block of one side. */
    private record Row(String where, DeviceHistory history, int allocation) {
        long bytes() {
            return history.bytesOf(allocation);
        }

        String stack() {
            return FrameText.telling(history.stacks().stack(StackBytes.stackOf(history, allocation)));
        }
    }

    private final CompareViewModel model;
    private final CheckBox onlyA = box("only-a");
    private final CheckBox both = box("both");
    private final CheckBox onlyB = box("only-b");
    private final TableView<Row> table = new TableView<>();

    LeakFinder(CompareViewModel model) {
        this.model = model;
        getStyleClass().add("leak-finder");
        onlyB.setSelected(true);
        for (CheckBox box : List.of(onlyA, both, onlyB)) {
            box.selectedProperty().addListener((property, before, now) -> show());
        }
        label(onlyA, "only-a", BlockMatch::heldOnlyA);
        label(both, "both", BlockMatch::heldBoth);
        label(onlyB, "only-b", BlockMatch::heldOnlyB);
        FlowPane boxes = new FlowPane(onlyA, both, onlyB);
        boxes.getStyleClass().add("who-tools");
        table.setId("who-leaks");
        table.getStyleClass().addAll("dense", "who-table");
        table.setFixedCellSize(FrameText.ROW_HEIGHT);
        table.setColumnResizePolicy(TableView.CONSTRAINED_RESIZE_POLICY);
        table.setPlaceholder(Labels.of(TEXTS.bind("blocks.none"), "muted"));
        table.getColumns().add(column("column.where", 70, "where", Row::where));
        table.getColumns().add(column("column.bytes", 90, "figures", row -> ByteText.of(row.bytes())));
        table.getColumns().add(column("column.stack", 360, "stack", Row::stack));
        table.getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            Optional<Comparison> shown = model.comparisonProperty().get();
            boolean here = now != null && shown.isPresent() && now.history() == here(shown.get());
            if (here) {
                model.focus().selectionProperty().set(new RecordingSelection.Allocation(now.allocation()));
            }
        });
        Copies.install(table, this::rows);
        VBox.setVgrow(table, Priority.ALWAYS);
        getChildren().addAll(boxes, table);
        model.comparisonProperty().addListener((property, before, now) -> show());
    }

    /** The history that the window looks at: the one that is not the base, unless the sides are swapped. */
    private DeviceHistory here(Comparison comparison) {
        return model.swappedProperty().get()
                ? comparison.a().history()
                : comparison.b().history();
    }

    private static CheckBox box(String name) {
        CheckBox box = new CheckBox();
        box.setId("who-leaks-" + name);
        return box;
    }

    private void label(CheckBox box, String name, Function<BlockMatch, Held> held) {
        box.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.comparisonProperty()
                                .get()
                                .map(c -> held.apply(c.blocks()))
                                .map(h -> TEXTS.get("leaks." + name, h.count(), ByteText.of(h.bytes())))
                                .orElse(""),
                        model.comparisonProperty(),
                        Texts.wordingProperty()));
    }

    private void show() {
        Optional<Comparison> shown = model.comparisonProperty().get();
        List<Row> rows = new ArrayList<>();
        shown.ifPresent(c -> {
            add(rows, onlyA, "A", c.a().history(), c.blocks().onlyA());
            add(rows, both, "A B", c.b().history(), c.blocks().both());
            add(rows, onlyB, "B", c.b().history(), c.blocks().onlyB());
        });
        rows.sort(Comparator.comparingLong(row -> -row.bytes()));
        table.getItems().setAll(rows.size() > MOST_ROWS ? rows.subList(0, MOST_ROWS) : rows);
    }

    private static void add(List<Row> rows, CheckBox box, String where, DeviceHistory history, int[] allocations) {
        if (box.isSelected()) {
            for (int allocation : allocations) {
                rows.add(new Row(where, history, allocation));
            }
        }
    }

    private Table rows() {
        List<Table.Column> columns = List.of(
                new Table.Column("where", TEXTS.get("column.where"), false),
                new Table.Column("bytes", TEXTS.get("column.bytes"), true),
                new Table.Column("stack", TEXTS.get("column.stack"), false));
        return new Table(
                columns,
                table.getItems().stream()
                        .map(row -> List.of(
                                Table.Cell.of(row.where()), Table.Cell.bytes(row.bytes()), Table.Cell.of(row.stack())))
                        .toList());
    }

    private static TableColumn<Row, String> column(
            String key, double width, String styleClass, Function<Row, String> text) {
        TableColumn<Row, String> column = new TableColumn<>();
        column.textProperty().bind(TEXTS.bind(key));
        column.setPrefWidth(width);
        column.setSortable(false);
        column.getStyleClass().add(styleClass);
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(text.apply(row.getValue())));
        return column;
    }
}
