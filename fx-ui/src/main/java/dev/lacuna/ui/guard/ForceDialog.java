package dev.lacuna.ui.guard;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import javafx.beans.value.ChangeListener;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Asks in the window for the name of the process that a forced change may end. Closing the question means no. */
final class ForceDialog {
    private static final Texts TEXTS = RefusalText.TEXTS;

    private ForceDialog() {}

    /** Shows the question until it is answered or is one no more. */
    static void show(Overlay overlay, ForceQuestion question) {
        TextField name = new TextField();
        name.setId("force-name");
        name.getStyleClass().add("mono");
        name.accessibleTextProperty().bind(TEXTS.bind("question.type", question.name()));
        question.typedProperty().bind(name.textProperty());
        VBox card = new VBox(
                Labels.titled(TEXTS.bind("question.title")), words(question), name, buttons(overlay, question));
        card.setId("force-question");
        card.getStyleClass().addAll("card", "dialog-card", "force-question");
        ChangeListener<Boolean> close = (property, before, open) -> {
            if (!open) {
                overlay.close();
            }
        };
        question.openBinding().addListener(close);
        overlay.show(card, () -> question.openBinding().removeListener(close));
        name.requestFocus();
    }

    private static VBox words(ForceQuestion question) {
        long pid = question.process().pid();
        Label what = new Label(TEXTS.get(
                "question.what",
                question.asked(),
                CommandName.of(question.process().command()),
                Long.toString(pid)));
        Label figures = new Label(question.figures());
        figures.getStyleClass().add("muted");
        Label risk = Labels.of(TEXTS.bind("question.risk"), "force-risk");
        Label type = Labels.of(TEXTS.bind("question.type", question.name()));
        type.setId("force-type");
        VBox words = new VBox(what, figures, risk, type);
        words.getStyleClass().add("force-words");
        words.getChildren().forEach(node -> {
            Label label = Labels.inAnyScript((Label) node);
            label.setWrapText(true);
            label.setMinHeight(Region.USE_PREF_SIZE);
        });
        return words;
    }

    private static HBox buttons(Overlay overlay, ForceQuestion question) {
        Button no = new Button();
        no.setId("force-no");
        no.textProperty().bind(TEXTS.bind("question.no"));
        no.setCancelButton(true);
        no.setOnAction(e -> overlay.close());
        Button yes = new Button();
        yes.setId("force-yes");
        yes.textProperty().bind(TEXTS.bind("question.yes"));
        yes.getStyleClass().add(Styles.DANGER);
        yes.setDefaultButton(true);
        yes.disableProperty().bind(question.armedBinding().not());
        // Its own doing closes the question.
        yes.setOnAction(e -> question.confirm());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(space, no, yes);
        buttons.getStyleClass().add("buttons");
        return buttons;
    }
}
