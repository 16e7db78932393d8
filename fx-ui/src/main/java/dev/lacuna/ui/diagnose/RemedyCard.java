package dev.lacuna.ui.diagnose;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import javafx.beans.binding.Bindings;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** One remedy: its rank, what and why, the command to copy, the change to apply. */
final class RemedyCard extends HBox {
    private static final Texts TEXTS = Texts.of("diagnose");

    RemedyCard(int rank, Verdict.Remedy remedy, DiagnoseViewModel model) {
        getStyleClass().addAll("card", "remedy");
        setId("remedy-" + remedy.id());
        setAlignment(Pos.CENTER_LEFT);
        Label number = new Label(Integer.toString(rank));
        number.getStyleClass().add("rank");
        Label title = new Label(remedy.title());
        title.getStyleClass().add("strong");
        title.setWrapText(true);
        title.setMinHeight(Region.USE_PREF_SIZE);
        Label why = new Label(remedy.why());
        why.getStyleClass().add("muted");
        why.setWrapText(true);
        why.setMinHeight(Region.USE_PREF_SIZE);
        VBox words = new VBox(title, why);
        words.getStyleClass().add("remedy-words");
        words.setMinWidth(0);
        HBox.setHgrow(words, Priority.ALWAYS);
        getChildren().addAll(number, words);
        remedy.command().ifPresent(command -> {
            Label line = new Label(command);
            line.getStyleClass().addAll("mono", "remedy-command");
            line.setWrapText(true);
            line.setMinHeight(Region.USE_PREF_SIZE);
            words.getChildren().add(line);
        });
        getChildren().add(actions(remedy, model));
    }

    private static Node actions(Verdict.Remedy remedy, DiagnoseViewModel model) {
        HBox actions = new HBox();
        actions.getStyleClass().add("buttons");
        actions.setMinWidth(Region.USE_PREF_SIZE);
        remedy.command().ifPresent(command -> {
            Button copy = new Button();
            copy.textProperty().bind(TEXTS.bind("copy"));
            copy.setGraphic(new FontIcon("fth-copy"));
            copy.setOnAction(e -> {
                Copying.copy(command);
                model.copied(command);
            });
            actions.getChildren().add(copy);
        });
        remedy.change().ifPresent(change -> {
            Button apply = new Button();
            apply.setId("apply-" + remedy.id());
            apply.textProperty()
                    .bind(Bindings.createStringBinding(
                            () -> model.attachedPid()
                                    .map(pid -> TEXTS.get("apply.to", pid))
                                    .orElseGet(() -> TEXTS.get("apply.none")),
                            model.attachedProperty(),
                            Texts.languageProperty()));
            apply.getStyleClass().add(Styles.ACCENT);
            apply.disableProperty()
                    .bind(Bindings.createBooleanBinding(
                            () -> model.attachedPid().isEmpty(), model.attachedProperty()));
            apply.setOnAction(e -> model.apply(remedy));
            actions.getChildren().add(apply);
        });
        return actions;
    }
}
