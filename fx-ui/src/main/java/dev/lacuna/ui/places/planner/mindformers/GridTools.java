package dev.lacuna.ui.places.planner.mindformers;

import atlantafx.base.controls.ToggleSwitch;
import dev.lacuna.core.config.mindformers.GridAct;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.shape.Rectangle;
import org.kordamp.ikonli.javafx.FontIcon;

/** What can be done to the selected cells; each button carries the colour of what it does, so that it is the legend too. */
final class GridTools extends FlowPane {
    private static final Texts TEXTS = Texts.of("planner");

    private final MindformersViewModel model;

    GridTools(MindformersViewModel model) {
        this.model = model;
        getStyleClass().add("mf-tools");
        getChildren()
                .addAll(
                        tool("keep", GridAct.KEEP, "none"),
                        tool("recompute", GridAct.RECOMPUTE, "select"),
                        tool("comm", GridAct.COMMUNICATION, "comm"),
                        tool("exclude", GridAct.EXCLUDE, "excluded"),
                        tool("swap", GridAct.SWAP, "swap"),
                        prefetch(),
                        swapSwitch());
    }

    private Node tool(String name, GridAct act, String colour) {
        Rectangle sign = new Rectangle(12, 12);
        sign.setArcWidth(4);
        sign.setArcHeight(4);
        sign.getStyleClass().addAll("mf-sign", "mf-" + colour);
        Button button = new Button(null, sign);
        button.setId("mf-" + name);
        button.textProperty().bind(TEXTS.bind("mf.tool." + name));
        button.setMinWidth(Region.USE_PREF_SIZE);
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(TEXTS.bind("mf.tool." + name + ".tip"));
        button.setTooltip(tip);
        button.setOnAction(e -> model.act(act));
        return button;
    }

    private Node prefetch() {
        TextField field = new TextField();
        field.setId("mf-prefetch");
        field.setPrefColumnCount(4);
        field.textProperty().bindBidirectional(model.prefetchProperty());
        StringBinding fault = Bindings.createStringBinding(
                () -> model.prefetchValid() ? "" : TEXTS.get("mf.prefetch.fault"),
                model.prefetchProperty(),
                Texts.wordingProperty());
        Label title = Labels.of(TEXTS.bind("mf.prefetch"), "muted");
        title.setMinWidth(Region.USE_PREF_SIZE);
        title.setLabelFor(field);
        HBox box = new HBox(title, field, new FieldFault(field, fault));
        box.getStyleClass().add("buttons");
        return box;
    }

    private Node swapSwitch() {
        ToggleSwitch swap = new ToggleSwitch();
        swap.setId("mf-swap-on");
        swap.textProperty().bind(TEXTS.bind("mf.swap.on"));
        model.gridProperty()
                .addListener((property, before, now) ->
                        swap.setSelected(now.map(LayerGrid::swapOn).orElse(false)));
        swap.selectedProperty().addListener((property, before, now) -> model.swapOn(now));
        return swap;
    }

    /** Back and forth, for the line above: with them this one would not fit a window of the usual width. */
    Node history() {
        HBox both = new HBox(history("undo", "fth-corner-up-left"), history("redo", "fth-corner-up-right"));
        both.getStyleClass().add("buttons");
        both.setMinWidth(Region.USE_PREF_SIZE);
        return both;
    }

    private Node history(String name, String icon) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId("mf-" + name);
        button.getStyleClass().add("button-icon");
        button.accessibleTextProperty().bind(TEXTS.bind("mf." + name));
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(TEXTS.bind("mf." + name));
        button.setTooltip(tip);
        boolean undo = name.equals("undo");
        button.disableProperty().bind((undo ? model.canUndoProperty() : model.canRedoProperty()).not());
        button.setOnAction(e -> {
            if (undo) {
                model.undo();
            } else {
                model.redo();
            }
        });
        return button;
    }
}
