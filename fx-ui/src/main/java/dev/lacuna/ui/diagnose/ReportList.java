package dev.lacuna.ui.diagnose;

import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** The reports of one log, to choose from; there only when there are several. */
final class ReportList extends VBox {
    private static final Texts TEXTS = Texts.of("diagnose");

    ReportList(DiagnoseViewModel model) {
        getStyleClass().addAll("card", "report-card");
        ListView<LogCase> list = new ListView<>(model.cases());
        list.setId("reports");
        list.getStyleClass().add("report-list");
        list.setCellFactory(view -> new ReportCell());
        VBox.setVgrow(list, Priority.ALWAYS);
        getChildren().addAll(Labels.titled(TEXTS.bind("reports.title", Bindings.size(model.cases()))), list);
        list.getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null) {
                model.selectedProperty().set(Optional.of(now));
            }
        });
        model.selectedProperty()
                .addListener((property, before, now) -> now.ifPresent(list.getSelectionModel()::select));
        Texts.languageProperty().addListener((property, before, now) -> list.refresh());
        visibleProperty().bind(Bindings.size(model.cases()).greaterThan(1));
        managedProperty().bind(visibleProperty());
    }

    private static final class ReportCell extends ListCell<LogCase> {
        private final Label where = new Label();
        private final Label badge = new Label();
        private final VBox card = new VBox(where, badge);

        ReportCell() {
            where.getStyleClass().add("report-where");
            card.getStyleClass().add("report-cell");
            setPrefWidth(0);
        }

        @Override
        protected void updateItem(LogCase logCase, boolean empty) {
            super.updateItem(logCase, empty);
            if (empty || logCase == null) {
                setGraphic(null);
                setTooltip(null);
                return;
            }
            where.setText(VerdictWording.where(logCase));
            badge.setText(VerdictWording.badge(logCase));
            badge.getStyleClass()
                    .setAll(
                            "label",
                            "badge",
                            "small",
                            logCase.diagnosis().cause().id());
            setTooltip(new Tooltip(logCase.sourceName()));
            setGraphic(card);
        }
    }
}
