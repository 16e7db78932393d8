package dev.lacuna.ui.whatif;

import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.shell.PlaceHeader;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.whatif.WhatIfViewModel.State;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The settings of a replay at the left; at the right the way in, the wait, what went wrong, or what came of it. */
final class WhatIfView extends VBox {
    private static final Texts TEXTS = Texts.of("whatif");

    private final WhatIfViewModel model;

    WhatIfView(WhatIfViewModel model, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("place", "whatif");
        Button open = new Button(null, new FontIcon("fth-folder"));
        open.setId("whatif-open");
        open.textProperty().bind(TEXTS.bind("open"));
        open.setMinWidth(Region.USE_PREF_SIZE);
        open.setOnAction(e -> choose.run());
        TraceWelcome welcome = new TraceWelcome(model, choose);
        ComparisonPane comparison = new ComparisonPane(model);
        Node waiting = waiting();
        Node failed = failed(choose);
        BooleanBinding empty = model.stateProperty().isEqualTo(State.EMPTY);
        BooleanBinding nothingYet = Bindings.isEmpty(model.runs());
        showWhile(welcome, empty);
        showWhile(waiting, model.stateProperty().isEqualTo(State.RUNNING).and(nothingYet));
        showWhile(failed, model.stateProperty().isEqualTo(State.FAILED));
        showWhile(
                comparison,
                nothingYet
                        .not()
                        .and(model.stateProperty().isNotEqualTo(State.FAILED))
                        .and(empty.not()));
        StackPane body = new StackPane(welcome, waiting, failed, comparison);
        HBox.setHgrow(body, Priority.ALWAYS);
        HBox columns = new HBox(new ReplayCard(model), body);
        columns.getStyleClass().add("columns");
        VBox.setVgrow(columns, Priority.ALWAYS);
        open.visibleProperty().bind(empty.not());
        getChildren().addAll(new PlaceHeader(TEXTS.bind("title"), subtitle(), open), columns);
    }

    private static void showWhile(Node node, BooleanBinding condition) {
        node.visibleProperty().bind(condition);
        node.managedProperty().bind(condition);
    }

    private Node waiting() {
        ProgressBar bar = new ProgressBar();
        bar.progressProperty().bind(model.progressProperty());
        bar.setPrefWidth(320);
        Button cancel = new Button(null, new FontIcon("fth-x"));
        cancel.setId("whatif-cancel-reading");
        cancel.textProperty().bind(TEXTS.bind("cancel"));
        cancel.setOnAction(e -> model.cancel());
        VBox card = new VBox(
                Labels.inAnyScript(Labels.of(TEXTS.bind("reading", model.sourceProperty()), "muted")), bar, cancel);
        card.setId("whatif-waiting");
        card.getStyleClass().addAll("card", "whatif-message");
        return card;
    }

    private Node failed(Runnable choose) {
        Button other = new Button(null, new FontIcon("fth-folder"));
        other.textProperty().bind(TEXTS.bind("open"));
        other.setOnAction(e -> choose.run());
        Button back = new Button(null, new FontIcon("fth-arrow-left"));
        back.setId("whatif-back");
        back.textProperty().bind(TEXTS.bind("back"));
        back.setOnAction(e -> model.close());
        HBox buttons = new HBox(other, back);
        buttons.getStyleClass().add("buttons");
        buttons.setMaxWidth(Region.USE_PREF_SIZE);
        javafx.scene.control.Label why = Labels.inAnyScript(Labels.of(model.faultProperty()));
        why.setId("whatif-fault");
        why.setWrapText(true);
        why.setMinHeight(Region.USE_PREF_SIZE);
        why.setMaxWidth(560);
        FontIcon sign = new FontIcon("fth-alert-triangle");
        sign.getStyleClass().add("failure-sign");
        VBox card = new VBox(sign, Labels.titled(TEXTS.bind("failed.title")), why, buttons);
        card.getStyleClass().addAll("card", "whatif-message");
        return card;
    }

    private StringBinding subtitle() {
        return Bindings.createStringBinding(
                () -> model.stateProperty().get() == State.EMPTY
                        ? TEXTS.get("subtitle")
                        : model.sourceProperty().get(),
                model.stateProperty(),
                model.sourceProperty(),
                Texts.languageProperty());
    }
}
