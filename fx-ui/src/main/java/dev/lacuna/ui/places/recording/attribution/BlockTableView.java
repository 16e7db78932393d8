package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.attribution.FoundBlocks;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;

/** Blocks in rows: virtual, sorted by any column. */
final class BlockTableView extends TableView<Integer> {
    private static final Texts TEXTS = Texts.of("who");

    private static final double NARROWEST_STACK = 60;
    private static final double NARROWEST_SHARE = 0.85;

    private final BlocksViewModel model;
    private Optional<FoundBlocks> found = Optional.empty();
    private final Map<TableColumn<Integer, ?>, Comparator<Integer>> orders = new HashMap<>();
    private boolean following;

    BlockTableView(BlocksViewModel model, IntConsumer onSelect) {
        this.model = model;
        setId("who-blocks");
        getStyleClass().addAll("dense", "who-table");
        setFixedCellSize(FrameText.ROW_HEIGHT);
        setColumnResizePolicy(CONSTRAINED_RESIZE_POLICY);
        setPlaceholder(EmptyText.of(model.foundProperty(), "blocks.none"));
        getColumns()
                .add(column(
                        "column.bytes",
                        88,
                        "figures",
                        a -> ByteText.of(history().bytesOf(a)),
                        bySize()));
        getColumns().add(column("column.address", 142, "mono", a -> address(a), byAddress()));
        getColumns().add(column("column.stream", 84, "figures", a -> stream(a), Comparator.comparing(this::streamOf)));
        getColumns()
                .add(column("column.born", 70, "figures", a -> event(history().bornAt(a)), byBirth()));
        getColumns()
                .add(column("column.freed", 70, "figures", a -> event(history().freedAt(a)), byFree()));
        TableColumn<Integer, String> stack =
                column("column.stack", 260, "stack", a -> FrameText.telling(model.stack(a)), byStack());
        stack.setCellFactory(c -> new StackCell());
        getColumns().add(stack);
        getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null && !following) {
                onSelect.accept(now);
            }
        });
        setSortPolicy(table -> {
            sortRows();
            return true;
        });
        Copies.install(this, this::table);
    }

    /** Shows what was found. */
    void show(Optional<FoundBlocks> now) {
        following = true;
        found = now;
        getItems().setAll(now.map(FoundBlocks::largest).orElse(List.of()));
        sort();
        following = false;
    }

    /** Marks this block's row, where it has one; −1 marks none. */
    void select(int allocation) {
        following = true;
        int row = getItems().indexOf(allocation);
        getSelectionModel().clearSelection();
        if (row >= 0) {
            getSelectionModel().select(row);
            scrollTo(Math.max(0, row - 3));
        }
        following = false;
    }

    /** The rows as they stand. */
    Table table() {
        List<Table.Column> columns = List.of(
                new Table.Column("bytes", TEXTS.get("column.bytes"), true),
                new Table.Column("requested_bytes", TEXTS.get("column.requested"), true),
                new Table.Column("address", TEXTS.get("column.address"), false),
                new Table.Column("stream", TEXTS.get("column.stream"), true),
                new Table.Column("born_event", TEXTS.get("column.born"), true),
                new Table.Column("freed_event", TEXTS.get("column.freed"), true),
                new Table.Column("stack", TEXTS.get("column.stack"), false));
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (int a : getItems()) {
            rows.add(List.of(
                    Table.Cell.bytes(history().bytesOf(a)),
                    Table.Cell.bytes(history().requestedOf(a)),
                    Table.Cell.of(address(a)),
                    Table.Cell.of(stream(a)),
                    new Table.Cell(
                            event(history().bornAt(a)),
                            Integer.toString(history().bornAt(a))),
                    new Table.Cell(event(history().freedAt(a)), freed(a)),
                    Table.Cell.of(FrameText.telling(model.stack(a)))));
        }
        return new Table(columns, rows);
    }

    private DeviceHistory history() {
        return found.orElseThrow().history();
    }

    private String freed(int a) {
        return history().freedAt(a) >= history().size()
                ? ""
                : Integer.toString(history().freedAt(a));
    }

    private String address(int a) {
        return "0x" + Long.toHexString(history().addressOf(a));
    }

    private long streamOf(int a) {
        return history().streamOf(a);
    }

    private String stream(int a) {
        long stream = streamOf(a);
        return stream < 1000 && stream >= 0 ? Long.toString(stream) : "0x" + Long.toHexString(stream);
    }

    private String event(int event) {
        return event < 0 || event >= history().size() ? "–" : String.format(Texts.locale(), "%,d", event);
    }

    private Comparator<Integer> bySize() {
        return Comparator.comparingLong(a -> history().bytesOf(a));
    }

    private Comparator<Integer> byAddress() {
        return Comparator.comparing(a -> history().addressOf(a), Long::compareUnsigned);
    }

    private Comparator<Integer> byBirth() {
        return Comparator.comparingInt(a -> history().bornAt(a));
    }

    private Comparator<Integer> byFree() {
        return Comparator.comparingInt(a -> history().freedAt(a));
    }

    private Comparator<Integer> byStack() {
        return Comparator.comparing(a -> FrameText.telling(model.stack(a)));
    }

    /** By the block behind the row, not by the text in the cell; without a chosen column by size. */
    private void sortRows() {
        Comparator<Integer> order = bySize().reversed();
        if (!getSortOrder().isEmpty()) {
            TableColumn<Integer, ?> column = getSortOrder().get(0);
            Comparator<Integer> up = orders.get(column);
            order = column.getSortType() == TableColumn.SortType.DESCENDING ? up.reversed() : up;
        }
        FXCollections.sort(getItems(), order);
    }

    private TableColumn<Integer, String> column(
            String key, double width, String styleClass, Function<Integer, String> text, Comparator<Integer> order) {
        TableColumn<Integer, String> column = new TableColumn<>();
        column.textProperty().bind(TEXTS.bind(key));
        column.setPrefWidth(width);
        // In a narrow window the stacks give way: a figure that is cut off says nothing.
        column.setMinWidth(styleClass.equals("stack") ? NARROWEST_STACK : width * NARROWEST_SHARE);
        column.setReorderable(false);
        column.getStyleClass().add(styleClass);
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(text.apply(row.getValue())));
        orders.put(column, order);
        return column;
    }

    /** The line that tells most, and the whole stack in the tooltip. */
    private final class StackCell extends TableCell<Integer, String> {
        private final Tooltip all = new Tooltip();

        @Override
        protected void updateItem(String text, boolean empty) {
            super.updateItem(text, empty);
            setText(empty ? null : text);
            Integer row = empty || getTableRow() == null ? null : getTableRow().getItem();
            if (row == null || model.stack(row).isEmpty()) {
                setTooltip(null);
            } else {
                all.setText(FrameText.all(model.stack(row)));
                setTooltip(all);
            }
        }
    }
}
