package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.StackTree;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.places.recording.attribution.LineItem.Line;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.control.TreeItem;
import javafx.scene.control.TreeTableCell;
import javafx.scene.control.TreeTableColumn;
import javafx.scene.control.TreeTableView;

/** The tree of stacks as a table: unbranched lines are one row, children are made when a row is opened. */
final class StackTable extends TreeTableView<Line> {
    private static final Texts TEXTS = Texts.of("who");

    private final Set<Integer> open = new HashSet<>();
    private Optional<FrameTree> shape = Optional.empty();
    private boolean following;

    /**
     * An empty one.
     *
     * @param content the tree that it is to show; empty while it is worked out
     * @param onSelect told which node was chosen
     */
    StackTable(ObservableValue<Optional<StackTree>> content, IntConsumer onSelect) {
        setId("who-stacks");
        getStyleClass().addAll("dense", "who-table");
        setShowRoot(true);
        setFixedCellSize(FrameText.ROW_HEIGHT);
        setColumnResizePolicy(TreeTableView.CONSTRAINED_RESIZE_POLICY);
        setPlaceholder(EmptyText.of(content, "stacks.none"));
        TreeTableColumn<Line, Line> name = column("column.line", 360, line -> line);
        name.setCellFactory(c -> new NameCell());
        getColumns().add(name);
        getColumns().add(figures("column.bytes", 96, line -> ByteText.of(line.bytes())));
        getColumns().add(figures("column.share", 88, StackTable::share));
        getColumns().add(figures("column.own", 96, StackTable::own));
        getColumns()
                .add(figures(
                        "column.blocks",
                        72,
                        line -> String.format(Texts.locale(), "%,d", line.tree().blocks(line.first()))));
        getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null && !following) {
                onSelect.accept(now.getValue().last());
            }
        });
        Copies.install(this, this::table);
    }

    /** Shows this tree, with the same rows open as before where it has the same shape. */
    void show(Optional<StackTree> tree) {
        if (tree.isEmpty()) {
            setRoot(null);
            return;
        }
        if (shape.filter(s -> s == tree.get().shape()).isEmpty()) {
            open.clear();
            shape = Optional.of(tree.get().shape());
        }
        following = true;
        setRoot(new LineItem(tree.get(), FrameTree.ROOT, open));
        following = false;
    }

    /** Opens the way to a node and selects its row; −1 selects nothing. */
    void select(int node) {
        following = true;
        try {
            if (node < 0 || getRoot() == null) {
                getSelectionModel().clearSelection();
                return;
            }
            TreeItem<Line> item = find(getRoot(), node);
            if (item != null) {
                getSelectionModel().select(item);
                int row = getRow(item);
                if (row >= 0) {
                    scrollTo(Math.max(0, row - 3));
                }
            }
        } finally {
            following = false;
        }
    }

    /** The open rows, as they stand. */
    Table table() {
        List<Table.Column> columns = List.of(
                new Table.Column("depth", TEXTS.get("column.depth"), true),
                new Table.Column("line", TEXTS.get("column.line"), false),
                new Table.Column("bytes", TEXTS.get("column.bytes"), true),
                new Table.Column("own_bytes", TEXTS.get("column.own"), true),
                new Table.Column("blocks", TEXTS.get("column.blocks"), true));
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (int i = 0; i < getExpandedItemCount(); i++) {
            TreeItem<Line> item = getTreeItem(i);
            Line line = item.getValue();
            rows.add(List.of(
                    Table.Cell.of(getTreeItemLevel(item)),
                    Table.Cell.of("  ".repeat(getTreeItemLevel(item)) + words(line)),
                    Table.Cell.bytes(line.bytes()),
                    Table.Cell.bytes(line.tree().ownBytes(line.last())),
                    Table.Cell.of(line.tree().blocks(line.first()))));
        }
        return new Table(columns, rows);
    }

    private static TreeItem<Line> find(TreeItem<Line> from, int node) {
        TreeItem<Line> item = from;
        FrameTree shape = from.getValue().tree().shape();
        while (shape.depth(item.getValue().last()) < shape.depth(node)) {
            TreeItem<Line> next = null;
            for (TreeItem<Line> child : item.getChildren()) {
                Line line = child.getValue();
                boolean within = shape.isWithin(node, line.first());
                next = within ? child : next;
            }
            if (next == null) {
                return null;
            }
            item.setExpanded(true);
            item = next;
        }
        return item;
    }

    private static String words(Line line) {
        if (line.first() == FrameTree.ROOT) {
            return FrameText.all(line.tree());
        }
        return FrameText.line(
                line.tree(),
                line.first(),
                line.last(),
                line.tree().shape().direction() == FrameTree.Direction.TOP_DOWN);
    }

    private static String share(Line line) {
        long all = line.tree().bytes(FrameTree.ROOT);
        return all == 0 ? "–" : String.format(Texts.locale(), "%.1f %%", 100.0 * line.bytes() / all);
    }

    private static String own(Line line) {
        long own = line.tree().ownBytes(line.last());
        return own == 0 ? "–" : ByteText.of(own);
    }

    private static TreeTableColumn<Line, String> figures(String key, double width, Function<Line, String> text) {
        TreeTableColumn<Line, String> column = column(key, width, text);
        column.getStyleClass().add("figures");
        column.setMinWidth(width * 0.85);
        column.setMaxWidth(width * 1.6);
        return column;
    }

    private static <T> TreeTableColumn<Line, T> column(String key, double width, Function<Line, T> value) {
        TreeTableColumn<Line, T> column = new TreeTableColumn<>();
        column.textProperty().bind(TEXTS.bind(key));
        column.setPrefWidth(width);
        column.setSortable(false);
        column.setReorderable(false);
        column.setCellValueFactory(
                row -> new ReadOnlyObjectWrapper<>(value.apply(row.getValue().getValue())));
        return column;
    }

    /** The line's telling frame, how many others stand with it, and all of them in the tooltip. */
    private static final class NameCell extends TreeTableCell<Line, Line> {
        private final Label more = new Label();
        private final Tooltip all = new Tooltip();

        NameCell() {
            more.getStyleClass().addAll("muted", "small");
            more.setMinWidth(USE_PREF_SIZE);
            setContentDisplay(ContentDisplay.RIGHT);
        }

        @Override
        protected void updateItem(Line line, boolean empty) {
            super.updateItem(line, empty);
            if (empty || line == null) {
                setText(null);
                setGraphic(null);
                setTooltip(null);
                return;
            }
            setText(words(line));
            int frames = line.first() == FrameTree.ROOT
                    ? 0
                    : line.tree().shape().depth(line.last())
                            - line.tree().shape().depth(line.first());
            more.setText(frames == 0 ? "" : "+" + frames);
            setGraphic(frames == 0 ? null : more);
            if (line.first() != FrameTree.ROOT) {
                all.setText(FrameText.all(line.tree().line(line.first(), line.last())));
                setTooltip(all);
            } else {
                setTooltip(null);
            }
        }
    }
}
