package dev.lacuna.ui.places.processes;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Notices;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.text.TextAlignment;
import org.kordamp.ikonli.javafx.FontIcon;

/** What the place says when nothing trains: how to fill it. */
final class EmptyProcesses extends VBox {
    private static final Texts TEXTS = Texts.of("processes");

    EmptyProcesses(ProcessesViewModel model, Notices notices) {
        getStyleClass().addAll("card", "empty-state");
        setId("processes-empty");
        setAlignment(Pos.CENTER);
        Label text = Labels.of(TEXTS.bind("empty.text"), "muted");
        text.setWrapText(true);
        text.setTextAlignment(TextAlignment.CENTER);
        text.setAlignment(Pos.CENTER);
        text.setMaxWidth(560);
        text.setMinHeight(Region.USE_PREF_SIZE);
        Button demo = new Button();
        demo.setId("start-demo");
        demo.textProperty().bind(TEXTS.bind("empty.demo"));
        demo.setGraphic(new FontIcon("fth-play"));
        demo.getStyleClass().add(Styles.ACCENT);
        demo.setOnAction(e -> model.startDemo());
        getChildren()
                .addAll(
                        new FontIcon("fth-cpu"),
                        Labels.of(TEXTS.bind("empty.title"), "card-title"),
                        text,
                        command("empty.command.python", notices),
                        Labels.of(TEXTS.bind("empty.or"), "muted"),
                        command("empty.command.demo", notices),
                        demo);
    }

    private static HBox command(String key, Notices notices) {
        Label line = Labels.of(TEXTS.bind(key), "mono");
        Button copy = new Button(null, new FontIcon("fth-copy"));
        copy.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        copy.accessibleTextProperty().bind(TEXTS.bind("empty.copy"));
        copy.setOnAction(e -> {
            Copying.copy(line.getText());
            notices.inform(TEXTS.get("empty.copied", line.getText()));
        });
        HBox row = new HBox(line, copy);
        row.getStyleClass().add("command-line");
        row.setAlignment(Pos.CENTER);
        row.setMaxWidth(Region.USE_PREF_SIZE);
        return row;
    }
}
