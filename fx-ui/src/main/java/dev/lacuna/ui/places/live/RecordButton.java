package dev.lacuna.ui.places.live;

import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.text.Texts;
import javafx.css.PseudoClass;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** Begins and ends a recording of the process, says how far it is, and leads to what was saved. */
final class RecordButton extends HBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass TROUBLE = PseudoClass.getPseudoClass("trouble");

    private final RecordingModel model;
    private final AllocatorTrial trial;
    private final Button record = new Button();
    private final Button compare = new Button();
    private final Button open = new Button(null, new FontIcon("fth-layers"));
    private final Button whatIf = new Button(null, new FontIcon("fth-git-branch"));

    RecordButton(RecordingModel model, AllocatorTrial trial) {
        this.model = model;
        this.trial = trial;
        getStyleClass().add("buttons");
        record.setId("live-record");
        record.getStyleClass().add("pill");
        record.setTooltip(new Tooltip());
        record.setOnAction(e -> toggle());
        record.setMinWidth(USE_PREF_SIZE);
        leads(open, "live-open-recording", "record.open", model::openSaved);
        leads(whatIf, "live-whatif-recording", "record.whatif", model::askWhatIf);
        compare.setId("live-compare");
        compare.getStyleClass().add("pill");
        compare.setTooltip(new Tooltip());
        compare.setOnAction(e -> compare());
        compare.setMinWidth(USE_PREF_SIZE);
        compare.managedProperty().bind(compare.visibleProperty());
        record.managedProperty().bind(record.visibleProperty());
        getChildren().addAll(record, open, whatIf, compare);
        model.stateProperty().addListener((property, before, now) -> refresh());
        refresh();
    }

    private static void leads(Button button, String id, String key, Runnable action) {
        button.setId(id);
        button.getStyleClass().add("pill");
        button.textProperty().bind(TEXTS.bind(key));
        button.setOnAction(e -> action.run());
        button.managedProperty().bind(button.visibleProperty());
        button.setMinWidth(USE_PREF_SIZE);
    }

    /** Ends the recording, or asks where a new one is to be saved and begins it. */
    void toggle() {
        if (model.stateProperty().get() == RecordingModel.State.RUNNING) {
            model.stop();
        } else if (model.canStart()) {
            choose();
        }
    }

    /** Records some steps and has them looked at under other allocators; or says that it is enough. */
    void compare() {
        if (trial.isRunning()) {
            trial.stop();
        } else {
            trial.start();
        }
        refresh();
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
        boolean leads = state == RecordingModel.State.IDLE && model.saved().isPresent();
        open.setVisible(leads);
        whatIf.setVisible(leads);
        showTrial(state);
    }

    /** One of the two buttons records, and that one ends it. */
    private void showTrial(RecordingModel.State state) {
        boolean mine = trial.isRunning();
        record.setVisible(!mine);
        compare.setVisible(mine || state == RecordingModel.State.IDLE);
        compare.setText(mine ? progress(state) : TEXTS.get("compare"));
        // Beside what leads to the last recording there is little room.
        compare.setContentDisplay(open.isVisible() ? ContentDisplay.GRAPHIC_ONLY : ContentDisplay.LEFT);
        compare.setAccessibleText(compare.getText());
        compare.setGraphic(new FontIcon(mine ? "fth-square" : "fth-git-branch"));
        compare.getTooltip().setText(TEXTS.get("compare.why", AllocatorTrial.STEPS, AllocatorTrial.SECONDS));
        compare.setDisable(mine ? state == RecordingModel.State.SAVING : !trial.canStart());
    }

    private String progress(RecordingModel.State state) {
        return state == RecordingModel.State.SAVING
                ? TEXTS.get("record.saving")
                : trial.progress()
                        .map(now ->
                                TEXTS.get(now.inSteps() ? "compare.steps" : "compare.seconds", now.done(), now.of()))
                        .orElseGet(() -> TEXTS.get("record.saving"));
    }

    private void choose() {
        FileDialogs.save(this, TEXTS.get("record.choose"), model.suggestedName())
                .ifPresent(target -> model.start(target.toPath()));
    }
}
