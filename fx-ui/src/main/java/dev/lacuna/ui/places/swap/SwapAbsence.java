package dev.lacuna.ui.places.swap;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import javafx.scene.text.TextAlignment;
import org.kordamp.ikonli.javafx.FontIcon;

/** Why there is nothing to show, and what to do about it. */
final class SwapAbsence extends VBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final double WIDTH = 560;

    private final Label what = new Label();
    private final Label how = new Label();
    private final Button open = new Button();
    private final TextField command = new TextField();
    private final HBox commandLine;

    /** @param openProcesses leads to where a process is chosen */
    SwapAbsence(Runnable openProcesses) {
        FontIcon icon = new FontIcon("fth-repeat");
        icon.getStyleClass().add("empty-icon");
        what.getStyleClass().add("place-title");
        what.setId("swap-absence");
        how.getStyleClass().add("muted");
        how.setWrapText(true);
        how.setMaxWidth(WIDTH);
        how.setTextAlignment(TextAlignment.CENTER);
        open.setId("swap-open-processes");
        open.textProperty().bind(TEXTS.bind("absence.open"));
        open.getStyleClass().add(Styles.ACCENT);
        open.setOnAction(e -> openProcesses.run());
        command.setEditable(false);
        command.setId("swap-command");
        command.getStyleClass().add("mono");
        HBox.setHgrow(command, Priority.ALWAYS);
        Button copy = new Button();
        copy.setId("swap-copy-command");
        copy.textProperty().bind(TEXTS.bind("absence.copy"));
        copy.setOnAction(e -> Copying.copy(command.getText()));
        commandLine = new HBox(command, copy);
        commandLine.getStyleClass().add("field-row");
        commandLine.setMaxWidth(WIDTH);
        getStyleClass().add("empty");
        setAlignment(Pos.CENTER);
        getChildren().addAll(icon, what, how, commandLine, open);
    }

    /** Shows why. */
    void show(SwapPresence presence, String commandThatSwaps) {
        String key = presence.name().toLowerCase(Locale.ROOT);
        boolean waiting = presence == SwapPresence.WAITING || presence == SwapPresence.THERE;
        what.setText(TEXTS.get(waiting ? "absence.waiting" : "absence." + key));
        how.setText(waiting ? "" : TEXTS.get("absence.how." + key));
        boolean restart = presence == SwapPresence.NOT_LOADED
                || presence == SwapPresence.OLD_AGENT
                || presence == SwapPresence.STOCK;
        commandLine.setVisible(restart);
        commandLine.setManaged(restart);
        if (!command.getText().equals(commandThatSwaps)) {
            command.setText(commandThatSwaps);
        }
        open.setVisible(presence == SwapPresence.NO_PROCESS);
        open.setManaged(presence == SwapPresence.NO_PROCESS);
    }
}
