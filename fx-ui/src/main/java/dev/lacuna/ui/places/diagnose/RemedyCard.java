package dev.lacuna.ui.places.diagnose;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import javafx.beans.binding.ObjectBinding;
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

    private final Button apply = new Button();
    private final Label reason = new Label();
    /** Held here: its sources hold it weakly. */
    private final ObjectBinding<ApplyOffer> offer;

    RemedyCard(int rank, RemedyWords remedy, DiagnoseViewModel model) {
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
        remedy.terms().forEach(term -> {
            Label line = new Label(term);
            line.getStyleClass().addAll("muted", "small");
            line.setWrapText(true);
            line.setMinHeight(Region.USE_PREF_SIZE);
            words.getChildren().add(line);
        });
        getChildren().addAll(number, words);
        remedy.command().ifPresent(command -> {
            Label line = new Label(command);
            line.getStyleClass().addAll("mono", "remedy-command");
            line.setWrapText(true);
            line.setMinHeight(Region.USE_PREF_SIZE);
            words.getChildren().add(line);
        });
        reason.setId("apply-reason-" + remedy.id());
        reason.getStyleClass().addAll("muted", "small");
        reason.setWrapText(true);
        reason.setMinHeight(Region.USE_PREF_SIZE);
        words.getChildren().add(reason);
        getChildren().add(actions(remedy, model));
        offer = model.remedies().offerOf(remedy);
        offer.addListener((property, before, now) -> show(now));
        show(offer.get());
    }

    private void show(ApplyOffer now) {
        apply.setText(now.button());
        apply.setDisable(!now.possible());
        apply.setVisible(!now.button().isEmpty());
        apply.setManaged(apply.isVisible());
        reason.setText(now.reason());
        reason.setVisible(!now.reason().isEmpty());
        reason.setManaged(reason.isVisible());
    }

    private Node actions(RemedyWords remedy, DiagnoseViewModel model) {
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
        apply.setId("apply-" + remedy.id());
        apply.getStyleClass().add(Styles.ACCENT);
        apply.setOnAction(e -> model.remedies().apply(remedy));
        actions.getChildren().add(apply);
        return actions;
    }
}
