package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.NumberBinding;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.transformation.SortedList;
import javafx.scene.control.Label;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;

/** The reports of a run, one row each, to compare and to choose from: by rank at first. There only when there are several. */
final class ReportTable extends VBox {
    private static final Texts TEXTS = Texts.of("diagnose");
    private static final double ROW = 30;
    private static final double HEADER = 44;
    private static final int MOST_ROWS = 7;

    /** Even in a low window: the ranks of a small run are all seen. */
    private static final int LEAST_ROWS = 4;

    /** Sorts what a message does not give behind everything that it gives. */
    private static final Comparator<OptionalLong> BY_BYTES =
            Comparator.comparingLong((OptionalLong v) -> v.orElse(Long.MAX_VALUE));

    private static final Comparator<OptionalInt> BY_RANK =
            Comparator.comparingInt((OptionalInt v) -> v.orElse(Integer.MAX_VALUE));

    private final TableView<LogCase> table = new TableView<>();

    ReportTable(DiagnoseViewModel model) {
        getStyleClass().addAll("card", "report-card");
        SortedList<LogCase> sorted = new SortedList<>(model.cases());
        sorted.comparatorProperty().bind(table.comparatorProperty());
        table.setItems(sorted);
        table.setId("reports");
        table.getStyleClass().add("report-table");
        table.setFixedCellSize(ROW);
        table.prefHeightProperty().bind(height(model, MOST_ROWS));
        table.minHeightProperty().bind(height(model, LEAST_ROWS));
        table.setColumnResizePolicy(TableView.CONSTRAINED_RESIZE_POLICY);
        columns();
        getChildren().addAll(Labels.titled(TEXTS.bind("reports.title", Bindings.size(model.cases()))), table);
        table.getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null) {
                model.selectedProperty().set(Optional.of(now));
            }
        });
        model.selectedProperty()
                .addListener((property, before, now) -> now.ifPresent(table.getSelectionModel()::select));
        Texts.wordingProperty().addListener((property, before, now) -> table.refresh());
        visibleProperty().bind(Bindings.size(model.cases()).greaterThan(1));
        managedProperty().bind(visibleProperty());
    }

    private static NumberBinding height(DiagnoseViewModel model, int mostRows) {
        return Bindings.min(Bindings.size(model.cases()), mostRows)
                .multiply(ROW)
                .add(HEADER);
    }

    private void columns() {
        TableColumn<LogCase, OptionalInt> rank =
                column("rank", 60, c -> report(c).rank());
        rank.setCellFactory(c -> new ValueCell<>(r -> r.isPresent() ? Integer.toString(r.getAsInt()) : "–"));
        rank.setComparator(BY_RANK);
        TableColumn<LogCase, LogCase> where = column("where", 220, c -> c);
        where.setCellFactory(c -> new ValueCell<>(VerdictText::place));
        where.setComparator(Comparator.comparing(LogCase::sourceName)
                .thenComparingLong(c -> report(c).span().line()));
        TableColumn<LogCase, String> device =
                column("device", 80, c -> report(c).device().orElse("–"));
        device.setCellFactory(c -> new ValueCell<>(Function.identity()));
        TableColumn<LogCase, LogCase> cause = column("cause", 150, c -> c);
        cause.setCellFactory(c -> new CauseCell());
        cause.setComparator(Comparator.comparing(c -> c.diagnosis().cause()));
        table.getColumns().add(rank);
        table.getColumns().add(where);
        table.getColumns().add(device);
        table.getColumns().add(cause);
        table.getColumns().add(bytes("tried", OomReport::triedBytes));
        table.getColumns().add(bytes("allocated", OomReport::allocatedBytes));
        table.getColumns().add(bytes("gap", OomReport::gapBytes));
        table.getColumns().add(bytes("free", OomReport::freeBytes));
        table.getColumns().add(bytes("outside", OomReport::outsideBytes));
        rank.setSortType(TableColumn.SortType.ASCENDING);
        table.getSortOrder().add(rank);
    }

    private static TableColumn<LogCase, OptionalLong> bytes(String name, Function<OomReport, OptionalLong> value) {
        TableColumn<LogCase, OptionalLong> column = column(name, 90, c -> value.apply(report(c)));
        column.setCellFactory(c -> new ValueCell<>(b -> b.isPresent() ? ByteText.of(b.getAsLong()) : "–"));
        column.setComparator(BY_BYTES);
        column.getStyleClass().add("numbers");
        return column;
    }

    private static <T> TableColumn<LogCase, T> column(String name, double width, Function<LogCase, T> value) {
        TableColumn<LogCase, T> column = new TableColumn<>();
        column.textProperty().bind(TEXTS.bind("column." + name));
        column.setPrefWidth(width);
        column.setCellValueFactory(row -> new SimpleObjectProperty<>(value.apply(row.getValue())));
        return column;
    }

    private static OomReport report(LogCase logCase) {
        return logCase.diagnosis().report();
    }

    /** A value as words. */
    private static final class ValueCell<T> extends TableCell<LogCase, T> {
        private final Function<T, String> words;

        ValueCell(Function<T, String> words) {
            this.words = words;
        }

        @Override
        protected void updateItem(T value, boolean empty) {
            super.updateItem(value, empty);
            setText(empty || value == null ? null : words.apply(value));
            setTooltip(value instanceof LogCase logCase && !empty ? new Tooltip(logCase.sourceName()) : null);
        }
    }

    /** The cause in its colour. */
    private static final class CauseCell extends TableCell<LogCase, LogCase> {
        private final Label badge = new Label();

        @Override
        protected void updateItem(LogCase logCase, boolean empty) {
            super.updateItem(logCase, empty);
            setGraphic(empty || logCase == null ? null : badge);
            if (!empty && logCase != null) {
                badge.setText(VerdictText.badge(logCase));
                badge.getStyleClass()
                        .setAll(
                                "label",
                                "badge",
                                "small",
                                logCase.diagnosis().cause().id());
            }
        }
    }
}
