package dev.lacuna.ui.live;

import dev.lacuna.ui.text.Texts;
import java.io.File;
import javafx.css.PseudoClass;
import javafx.scene.control.Button;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.stage.FileChooser;
import org.kordamp.ikonli.javafx.FontIcon;

/** Begins and ends a recording of the process, says how far it is, and leads to what was saved. */
final class RecordButton extends HBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass TROUBLE = PseudoClass.getPseudoClass("trouble");

    private final RecordingModel model;
    private final Button record = new Button();
    private final Button open = new Button(null, new FontIcon("fth-git-branch"));

    RecordButton(RecordingModel model) {
        this.model = model;
        getStyleClass().add("buttons");
        record.setId("live-record");
        record.getStyleClass().add("pill");
        record.setTooltip(new Tooltip());
        record.setOnAction(e -> toggle());
        open.setId("live-open-recording");
        open.getStyleClass().add("pill");
        open.textProperty().bind(TEXTS.bind("record.open"));
        open.setOnAction(e -> model.openSaved());
        open.managedProperty().bind(open.visibleProperty());
        record.setMinWidth(USE_PREF_SIZE);
        open.setMinWidth(USE_PREF_SIZE);
        getChildren().addAll(record, open);
        model.stateProperty().addListener((property, before, now) -> refresh());
        refresh();
    }

    /** Ends the recording, or asks where a new one is to be saved and begins it. */
    void toggle() {
        if (model.stateProperty().get() == RecordingModel.State.RUNNING) {
            model.stop();
        } else if (model.canStart()) {
            choose();
        }
    }

    /** Shows what the model says now. */
    void refresh() {
        RecordingModel.State state = model.stateProperty().get();
        record.setText(
                switch (state) {
                    case IDLE -> TEXTS.get("record");
                    case RUNNING -> TEXTS.get("record.running", model.events());
                    case SAVING -> TEXTS.get("record.saving");
                });
        record.setGraphic(new FontIcon(state == RecordingModel.State.IDLE ? "fth-disc" : "fth-square"));
        record.getTooltip().setText(TEXTS.get("record.why", model.lostEvents()));
        record.pseudoClassStateChanged(TROUBLE, model.lostEvents() > 0);
        record.setDisable(
                state == RecordingModel.State.SAVING || state == RecordingModel.State.IDLE && !model.canStart());
        open.setVisible(state == RecordingModel.State.IDLE && model.saved().isPresent());
    }

    private void choose() {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(TEXTS.get("record.choose"));
        chooser.setInitialFileName(model.suggestedName());
        File target =
                chooser.showSaveDialog(getScene() == null ? null : getScene().getWindow());
        if (target != null) {
            model.start(target.toPath());
        }
    }
}
