package dev.lacuna.ui.places.whatif;

import dev.lacuna.ui.parts.FoldingColumns;
import dev.lacuna.ui.places.whatif.WhatIfViewModel.State;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.MessageCard;
import dev.lacuna.ui.window.PlaceHeader;
import dev.lacuna.ui.window.WelcomeCard;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The settings of a replay at the left; at the right the way in, the wait, what went wrong, or what came of it. */
final class WhatIfView extends VBox {
    private static final Texts TEXTS = Texts.of("whatif");

    private static final double SIDE = 260;

    private final WhatIfViewModel model;

    WhatIfView(WhatIfViewModel model, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("place", "whatif");
        Button open = new IconButton(TEXTS.bind("open"), "fth-folder", choose).named("whatif-open");
        Node welcome = welcome(choose);
        ComparisonPane comparison = new ComparisonPane(model);
        Node waiting = waiting();
        Node failed = failed(choose);
        BooleanBinding empty = model.stateProperty().isEqualTo(State.EMPTY);
        BooleanBinding nothingYet = Bindings.isEmpty(model.runs());
        BooleanBinding another = model.stateProperty()
                .isEqualTo(State.RUNNING)
                .and(model.openingProperty().isNotEmpty());
        showWhile(welcome, empty);
        showWhile(waiting, another);
        showWhile(failed, model.stateProperty().isEqualTo(State.FAILED));
        showWhile(
                comparison,
                nothingYet
                        .not()
                        .and(another.not())
                        .and(model.stateProperty().isNotEqualTo(State.FAILED))
                        .and(empty.not()));
        StackPane body = new StackPane(welcome, waiting, failed, comparison);
        ReplayCard replay = new ReplayCard(model);
        VBox.setVgrow(replay, Priority.ALWAYS);
        FoldingColumns columns = new FoldingColumns(body, FoldingColumns.Side.BEFORE, SIDE, replay);
        VBox.setVgrow(columns, Priority.ALWAYS);
        open.visibleProperty().bind(empty.not());
        getChildren().addAll(new PlaceHeader(TEXTS.bind("title"), subtitle(), open), columns);
    }

    private static void showWhile(Node node, BooleanBinding condition) {
        node.visibleProperty().bind(condition);
        node.managedProperty().bind(condition);
    }

    private Node welcome(Runnable choose) {
        WelcomeCard.Ways ways = new WelcomeCard.Ways(choose, model::openExample, model::open, model::forget);
        return new WelcomeCard("whatif", TEXTS, "fth-git-branch", model.recentTraces(), ways);
    }

    private Node waiting() {
        Button cancel = new IconButton(TEXTS.bind("cancel"), "fth-x", model::cancel).named("whatif-cancel-reading");
        MessageCard card =
                MessageCard.waiting(TEXTS.bind("reading", model.openingProperty()), model.progressProperty(), cancel);
        card.setId("whatif-waiting");
        return card;
    }

    private Node failed(Runnable choose) {
        Label why = MessageCard.wrapped(model.faultProperty());
        why.setId("whatif-fault");
        return new MessageCard(
                MessageCard.sign("fth-alert-triangle", "failure-sign"),
                Labels.titled(TEXTS.bind("failed.title")),
                why,
                MessageCard.buttons(
                        new IconButton(TEXTS.bind("open"), "fth-folder", choose),
                        new IconButton(TEXTS.bind("back"), "fth-arrow-left", model::close).named("whatif-back")));
    }

    private StringBinding subtitle() {
        return Bindings.createStringBinding(
                () -> model.stateProperty().get() == State.EMPTY
                        ? TEXTS.get("subtitle")
                        : model.sourceProperty().get(),
                model.stateProperty(),
                model.sourceProperty(),
                Texts.wordingProperty());
    }
}
