package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.PlaceHeader;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.StringBinding;
import javafx.geometry.Insets;
import javafx.scene.control.Button;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The paper for a log, or the verdict on it. */
final class DiagnoseView extends VBox {
    private static final Texts TEXTS = Texts.of("diagnose");

    private final DiagnoseViewModel model;
    private final LogInput input;
    private final VerdictPane verdict;

    DiagnoseView(DiagnoseViewModel model, Runnable choose, Runnable saveHtml) {
        this.model = model;
        getStyleClass().addAll("place", "diagnose");
        input = new LogInput(model, choose);
        verdict = new VerdictPane(model, saveHtml);
        // Above what scrolls: what a remedy did is seen wherever its button stood.
        VBox answer = new VBox(new ReportTable(model), new AppliedBar(model), verdict);
        answer.getStyleClass().add("columns");
        VBox.setVgrow(verdict, Priority.ALWAYS);
        // The scroll bar stands in the margin, so that the cards end where the header does.
        VBox.setMargin(verdict, new Insets(0, -16, 0, 0));
        BooleanBinding answered = model.stateProperty().isEqualTo(DiagnoseViewModel.State.VERDICT);
        StackPane body = new StackPane(answered.get() ? answer : input);
        VBox.setVgrow(body, Priority.ALWAYS);
        // The keyboard goes where the answer is: arrows scroll it.
        answered.addListener((property, before, now) -> {
            body.getChildren().setAll(now ? answer : input);
            if (now) {
                verdict.requestFocus();
            }
        });
        Button anew = new Button(null, new FontIcon("fth-file-plus"));
        anew.setId("diagnose-anew");
        anew.textProperty().bind(TEXTS.bind("anew"));
        anew.visibleProperty().bind(answered);
        anew.setOnAction(e -> startAnew());
        getChildren().addAll(new PlaceHeader(TEXTS.bind("title"), subtitle(), anew), body);
    }

    /** Takes the clipboard's text. */
    void paste() {
        input.paste();
    }

    /** Copies the verdict as Markdown. */
    void copy() {
        verdict.copyShown();
    }

    /** Diagnoses what stands on the paper. */
    void diagnoseTyped() {
        input.diagnoseTyped();
    }

    /** Back to the paper as it is. */
    void back() {
        model.clear();
        input.takeFocus();
    }

    /** Back to an empty paper. */
    void startAnew() {
        model.clear();
        input.startAnew();
    }

    private StringBinding subtitle() {
        return Bindings.createStringBinding(
                () -> model.stateProperty().get() == DiagnoseViewModel.State.VERDICT
                        ? model.sourceProperty().get()
                        : TEXTS.get("subtitle"),
                model.stateProperty(),
                model.sourceProperty(),
                Texts.wordingProperty());
    }
}
