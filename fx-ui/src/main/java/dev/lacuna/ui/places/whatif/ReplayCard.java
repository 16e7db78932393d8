package dev.lacuna.ui.places.whatif;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.parts.ChoosableRow;
import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.places.whatif.WhatIfViewModel.State;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.StringProperty;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** What to replay: the policies, the device, and the button. */
final class ReplayCard extends VBox {
    private static final Texts TEXTS = Texts.of("whatif");

    private final WhatIfViewModel model;

    ReplayCard(WhatIfViewModel model) {
        this.model = model;
        getStyleClass().addAll("card", "replay-card");
        getChildren().add(Labels.of(TEXTS.bind("policies"), "group-title"));
        model.policies().forEach(policy -> getChildren().add(choice(policy)));
        DeviceFields device = model.device();
        getChildren()
                .addAll(
                        Labels.of(TEXTS.bind("device"), "group-title"),
                        field("capacity", device.capacityProperty(), device.capacityFault()),
                        field("fraction", device.fractionProperty(), device.fractionFault()),
                        field("scale", device.scaleProperty(), device.scaleFault()),
                        buttons());
    }

    private Node choice(PolicyChoice policy) {
        CheckBox box = new CheckBox(policy.name());
        box.setId("policy-" + policy.name());
        box.setGraphic(Legend.line("curve-" + (PolicyChoice.colourOf(policy.name()) + 1)));
        box.selectedProperty().bindBidirectional(policy.chosenProperty());
        box.setMinWidth(Region.USE_PREF_SIZE);
        Label what = new Label();
        what.textProperty().bind(Bindings.createStringBinding(policy::explanation, Texts.wordingProperty()));
        what.getStyleClass().addAll("muted", "small", "policy-what");
        what.setWrapText(true);
        what.setMinHeight(Region.USE_PREF_SIZE);
        VBox choice = new VBox(box, what);
        choice.getStyleClass().add("policy-choice");
        model.selectedProperty()
                .addListener((property, before, now) ->
                        choice.pseudoClassStateChanged(ChoosableRow.CHOSEN, now.equals(Optional.of(policy.name()))));
        return choice;
    }

    private Node field(String name, StringProperty value, StringBinding fault) {
        TextField field = new TextField();
        field.setId("whatif-" + name);
        field.textProperty().bindBidirectional(value);
        field.promptTextProperty().bind(TEXTS.bind("device." + name + ".prompt"));
        field.setOnAction(e -> model.replay());
        Label title = Labels.of(TEXTS.bind("device." + name));
        title.setLabelFor(field);
        VBox box = new VBox(title, field, new FieldFault(field, fault));
        box.getStyleClass().add("device-field");
        return box;
    }

    private Node buttons() {
        Button go = new Button(null, new FontIcon("fth-play"));
        go.setId("whatif-replay");
        go.getStyleClass().add(Styles.ACCENT);
        go.textProperty().bind(TEXTS.bind("replay"));
        go.setMinWidth(Region.USE_PREF_SIZE);
        go.setOnAction(e -> model.replay());
        var able = model.canReplay();
        go.getProperties().put("able", able);
        go.disableProperty().bind(able.not().or(model.stateProperty().isEqualTo(State.RUNNING)));
        Button cancel = new Button(null, new FontIcon("fth-x"));
        cancel.setId("whatif-cancel");
        cancel.textProperty().bind(TEXTS.bind("cancel"));
        cancel.setOnAction(e -> model.cancel());
        cancel.visibleProperty().bind(model.stateProperty().isEqualTo(State.RUNNING));
        HBox row = new HBox(go, cancel);
        row.getStyleClass().add("buttons");
        ProgressBar bar = new ProgressBar();
        bar.progressProperty().bind(model.progressProperty());
        bar.setMaxWidth(Double.MAX_VALUE);
        bar.visibleProperty().bind(model.stateProperty().isEqualTo(State.RUNNING));
        return new VBox(8, row, bar);
    }
}
