package dev.lacuna.ui.places.processes;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Notices;
import dev.lacuna.ui.window.PlaceHeader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.collections.ObservableList;
import javafx.geometry.Insets;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** The living as cards, the ended below them; words on how to begin where there are none. */
final class ProcessesView extends VBox {
    private static final Texts TEXTS = Texts.of("processes");

    private final ListView<ProcessRow> living;
    private final ListView<ProcessRow> ended;
    private final ProcessesViewModel model;

    ProcessesView(ProcessesViewModel model, Optional<UnpreparedView> unprepared, Notices notices) {
        this.model = model;
        getStyleClass().addAll("place", "processes");
        BooleanBinding nothing = Bindings.isEmpty(model.living())
                .and(model.lookedProperty())
                .and(model.problemProperty().isEmpty());
        Welcome empty = new Welcome(model, notices);
        show(empty, nothing);
        HBox more = Welcome.inOneRow(model);
        show(more, Bindings.isNotEmpty(model.living()));
        living = list("processes-living", model.living(), model, ProcessCell.HEIGHT);
        living.accessibleTextProperty().bind(TEXTS.bind("title"));
        show(living, Bindings.isNotEmpty(model.living()));
        ended = list("processes-ended", model.blackBoxes(), model, ProcessCell.ENDED_HEIGHT);
        ended.accessibleTextProperty().bind(TEXTS.bind("ended.title"));
        HBox endedTitle = new HBox(
                Labels.of(TEXTS.bind("ended.title"), "section-title"),
                Labels.of(TEXTS.bind("ended.subtitle"), "muted"));
        endedTitle.getStyleClass().add("section-header");
        VBox endedPart = new VBox(endedTitle, ended);
        endedPart.getStyleClass().add("section");
        show(endedPart, Bindings.isNotEmpty(model.blackBoxes()));
        VBox content = new VBox(problem(model), living, more);
        unprepared.ifPresent(content.getChildren()::add);
        content.getChildren().addAll(empty, endedPart);
        content.getStyleClass().add("place-content");
        ScrollPane scroll = new ScrollPane(content);
        scroll.getStyleClass().add("edge-to-edge");
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setFocusTraversable(false);
        // The scroll bar stands in the margin, so that the cards end where the header does.
        VBox.setMargin(scroll, new Insets(0, -16, 0, 0));
        content.setPadding(new Insets(0, 16, 0, 0));
        VBox.setVgrow(scroll, Priority.ALWAYS);
        getChildren()
                .addAll(
                        new PlaceHeader(
                                TEXTS.bind("title"),
                                TEXTS.bind("subtitle"),
                                Labels.of(TEXTS.bind("subtitle.count", Bindings.size(model.living())), "muted")),
                        scroll);
        // A list takes Enter for editing, which these have not.
        for (ListView<ProcessRow> list : List.of(living, ended)) {
            list.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
                if (e.getCode() == KeyCode.ENTER) {
                    e.consume();
                    if (e.isShiftDown()) {
                        diagnoseSelected();
                    } else {
                        attachSelected();
                    }
                }
            });
        }
        // The first process that appears is the one that Enter takes.
        model.living().addListener((javafx.collections.ListChangeListener<ProcessRow>) change -> {
            if (living.getSelectionModel().isEmpty() && !model.living().isEmpty()) {
                living.getSelectionModel().selectFirst();
            }
        });
    }

    /** Puts the keyboard where the processes are. */
    void takeFocus() {
        (living.isVisible() || !ended.getParent().isVisible() ? living : ended).requestFocus();
    }

    /** What Enter does: attaches to the selected process, living or dead. */
    void attachSelected() {
        if (ended.isFocused() && !ended.getSelectionModel().isEmpty()) {
            model.attach(ended.getSelectionModel().getSelectedItem());
        } else if (!living.getSelectionModel().isEmpty()) {
            model.attach(living.getSelectionModel().getSelectedItem());
        }
    }

    /** What Shift+Enter does: diagnoses the selected black box. */
    void diagnoseSelected() {
        if (!ended.getSelectionModel().isEmpty()) {
            model.diagnose(ended.getSelectionModel().getSelectedItem());
        }
    }

    private static ListView<ProcessRow> list(
            String id, ObservableList<ProcessRow> rows, ProcessesViewModel model, double height) {
        ListView<ProcessRow> list = new ListView<>(rows);
        list.setId(id);
        list.getStyleClass().add("process-list");
        list.setCellFactory(view -> new ProcessCell(model));
        list.setFixedCellSize(height);
        Copies.install(list, () -> table(rows));
        // As high as its rows: the place scrolls as a whole.
        list.prefHeightProperty().bind(Bindings.size(rows).multiply(height).add(2));
        list.minHeightProperty().bind(list.prefHeightProperty());
        return list;
    }

    private static Table table(List<ProcessRow> rows) {
        Sheet sheet =
                Sheet.of("pid", "child_of", "command", "state", "#total_bytes", "#reserved_bytes", "#allocated_bytes");
        for (ProcessRow row : rows) {
            Optional<ProcessRow.Usage> usage = row.usage();
            sheet.row(List.of(
                    row.process().id(),
                    row.childOf().isPresent() ? row.childOf().getAsLong() : "",
                    row.process().command(),
                    row.process().state().name().toLowerCase(Locale.ROOT),
                    usage.<Object>map(ProcessRow.Usage::totalBytes).orElse(""),
                    usage.<Object>map(ProcessRow.Usage::reservedBytes).orElse(""),
                    usage.<Object>map(ProcessRow.Usage::allocatedBytes).orElse("")));
        }
        return sheet.table();
    }

    private static Label problem(ProcessesViewModel model) {
        Label label = Labels.of(
                Bindings.createStringBinding(
                        () -> TEXTS.get("problem.title") + ": "
                                + model.problemProperty().get(),
                        model.problemProperty(),
                        Texts.wordingProperty()),
                "problem");
        label.setWrapText(true);
        show(label, model.problemProperty().isNotEmpty());
        return label;
    }

    private static void show(javafx.scene.Node node, BooleanBinding when) {
        node.visibleProperty().bind(when);
        node.managedProperty().bind(when);
    }
}
