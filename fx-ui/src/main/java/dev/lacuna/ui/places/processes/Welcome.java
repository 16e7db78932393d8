package dev.lacuna.ui.places.processes;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Notices;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** What can be done where nothing trains yet: start and attach, open a file, paste a log, try the demo; a button each. */
final class Welcome extends VBox {
    private static final Texts TEXTS = Texts.of("processes");

    Welcome(ProcessesViewModel model, Notices notices) {
        getStyleClass().addAll("card", "welcome");
        setId("processes-empty");
        Node command = command(notices);
        GridPane tiles = new GridPane();
        tiles.getStyleClass().add("welcome-tiles");
        for (int column = 0; column < 2; column++) {
            ColumnConstraints half = new ColumnConstraints();
            half.setPercentWidth(50);
            tiles.getColumnConstraints().add(half);
        }
        Button copy = button("attach", "fth-copy", () -> copy(notices));
        copy.getStyleClass().add(Styles.ACCENT);
        tiles.addRow(0, tile("attach", "fth-cpu", copy, command), tile("open", "fth-folder", open(model)));
        tiles.addRow(
                1, tile("paste", "fth-clipboard", paste(model)), tile("demo", "fth-play", demo(model, "start-demo")));
        getChildren().addAll(Labels.titled(TEXTS.bind("welcome.title")), tiles);
    }

    /** The same ways in one row, where processes are listed above. */
    static HBox inOneRow(ProcessesViewModel model) {
        HBox row = new HBox(
                Labels.of(TEXTS.bind("welcome.also"), "muted"), open(model), paste(model), demo(model, "more-demo"));
        row.getStyleClass().add("buttons");
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    private static Button open(ProcessesViewModel model) {
        return button("open", "fth-folder", model::openFile);
    }

    private static Button paste(ProcessesViewModel model) {
        return button("paste", "fth-clipboard", model::pasteLog);
    }

    private static Button demo(ProcessesViewModel model, String id) {
        return new IconButton(TEXTS.bind("welcome.demo.button"), "fth-play", model::startDemo).named(id);
    }

    private static Button button(String name, String icon, Runnable action) {
        return new IconButton(TEXTS.bind("welcome." + name + ".button"), icon, action).named("welcome-" + name);
    }

    private static Node tile(String name, String icon, Button button, Node... between) {
        FontIcon sign = new FontIcon(icon);
        sign.getStyleClass().add("tile-sign");
        Label title = Labels.titled(TEXTS.bind("welcome." + name + ".title"));
        title.setMinWidth(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(sign, title, space, button);
        head.getStyleClass().add("tile-head");
        Label text = Labels.of(TEXTS.bind("welcome." + name + ".text"), "muted");
        text.setWrapText(true);
        text.setMinHeight(Region.USE_PREF_SIZE);
        VBox tile = new VBox(head, text);
        tile.getStyleClass().add("tile");
        tile.getChildren().addAll(between);
        GridPane.setVgrow(tile, Priority.ALWAYS);
        return tile;
    }

    private static Node command(Notices notices) {
        Label line = Labels.inAnyScript(Labels.of(TEXTS.bind("empty.command.run"), "mono"));
        line.setId("welcome-command");
        line.setMinWidth(0);
        line.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
        Tooltip whole = new Tooltip();
        whole.textProperty().bind(line.textProperty());
        line.setTooltip(whole);
        line.setOnMouseClicked(e -> copy(notices));
        HBox row = new HBox(line);
        row.getStyleClass().add("command-line");
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    private static void copy(Notices notices) {
        String command = TEXTS.get("empty.command.run");
        Copying.copy(command);
        notices.inform(TEXTS.get("empty.copied", command));
    }
}
