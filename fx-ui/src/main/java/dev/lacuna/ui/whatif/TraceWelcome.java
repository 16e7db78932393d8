package dev.lacuna.ui.whatif;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.shell.Labels;
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

/** The way in: what this place is for, a trace to open, the example, and the recent ones. */
final class TraceWelcome extends VBox {
    private static final Texts TEXTS = Texts.of("whatif");

    private final WhatIfViewModel model;

    TraceWelcome(WhatIfViewModel model, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("card", "whatif-message");
        FontIcon sign = new FontIcon("fth-git-branch");
        sign.getStyleClass().add("welcome-sign");
        Label what = wrapped("welcome.what");
        Label how = wrapped("welcome.how");
        how.getStyleClass().add("muted");
        Button open = button("open", "fth-folder", choose);
        open.setId("whatif-choose");
        open.getStyleClass().add(Styles.ACCENT);
        Button example = button("example", "fth-play", model::openExample);
        example.setId("whatif-example");
        HBox buttons = new HBox(open, example);
        buttons.getStyleClass().add("buttons");
        buttons.setMaxWidth(Region.USE_PREF_SIZE);
        getChildren().addAll(sign, Labels.titled(TEXTS.bind("welcome.title")), what, how, buttons, recent());
    }

    private static Label wrapped(String key) {
        Label label = Labels.of(TEXTS.bind(key));
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.setMaxWidth(560);
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
                .setAll(model.recentTraces().stream()
                        .limit(6)
                        .map(this::recentTrace)
                        .toList());
        model.recentTraces().addListener((ListChangeListener<String>) change -> fill.run());
        fill.run();
        VBox box = new VBox(Labels.of(TEXTS.bind("recent"), "group-title"), entries);
        box.setMaxWidth(420);
        box.getStyleClass().add("recent-traces");
        box.visibleProperty().bind(Bindings.isNotEmpty(model.recentTraces()));
        box.managedProperty().bind(box.visibleProperty());
        return box;
    }

    private Node recentTrace(String path) {
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
