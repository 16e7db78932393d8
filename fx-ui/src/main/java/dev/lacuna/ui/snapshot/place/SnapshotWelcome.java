package dev.lacuna.ui.snapshot.place;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import javafx.beans.binding.Bindings;
import javafx.collections.ListChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The way in: what can be opened and how to record it, the example, and what was opened before. */
final class SnapshotWelcome extends VBox {
    private static final Texts TEXTS = Texts.of("snapshot");
    private static final int RECENT = 6;

    private final SnapshotViewModel model;

    SnapshotWelcome(SnapshotViewModel model, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("card", "snapshot-message");
        FontIcon sign = new FontIcon("fth-layers");
        sign.getStyleClass().add("welcome-sign");
        Label how = wrapped("welcome.how");
        how.getStyleClass().add("muted");
        how.setMaxWidth(Region.USE_PREF_SIZE);
        Label record = new Label("torch.cuda.memory._record_memory_history()  …  _dump_snapshot(\"run.pickle\")");
        record.getStyleClass().addAll("mono", "snapshot-code");
        Button open = button("open", "fth-folder", choose);
        open.setId("snapshot-choose");
        open.getStyleClass().add(Styles.ACCENT);
        Button example = button("example", "fth-play", model::openExample);
        example.setId("snapshot-example");
        HBox buttons = new HBox(open, example);
        buttons.getStyleClass().add("buttons");
        buttons.setMaxWidth(Region.USE_PREF_SIZE);
        getChildren()
                .addAll(
                        sign,
                        Labels.titled(TEXTS.bind("welcome.title")),
                        wrapped("welcome.what"),
                        how,
                        record,
                        buttons,
                        recent());
    }

    private static Label wrapped(String key) {
        Label label = Labels.of(TEXTS.bind(key));
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.setMaxWidth(600);
        return label;
    }

    private static Button button(String key, String icon, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(e -> action.run());
        return button;
    }

    private Node recent() {
        VBox entries = new VBox();
        entries.getStyleClass().add("recent-files");
        Runnable fill = () -> entries.getChildren()
                .setAll(model.recentRecordings().stream()
                        .limit(RECENT)
                        .map(this::recentRecording)
                        .toList());
        model.recentRecordings().addListener((ListChangeListener<String>) change -> fill.run());
        fill.run();
        VBox box = new VBox(Labels.of(TEXTS.bind("recent"), "group-title"), entries);
        box.setMaxWidth(460);
        box.getStyleClass().add("recent-traces");
        box.visibleProperty().bind(Bindings.isNotEmpty(model.recentRecordings()));
        box.managedProperty().bind(box.visibleProperty());
        return box;
    }

    private Node recentRecording(String path) {
        Hyperlink link = new Hyperlink(new File(path).getName());
        link.getStyleClass().add("mono");
        link.setTooltip(new Tooltip(path));
        link.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(link, Priority.ALWAYS);
        link.setOnAction(e -> model.open(path));
        Button forget = new Button(null, new FontIcon("fth-x"));
        forget.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        forget.accessibleTextProperty().bind(TEXTS.bind("recent.forget"));
        forget.setOnAction(e -> model.forget(path));
        HBox row = new HBox(link, forget);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }
}
