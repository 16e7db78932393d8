package dev.lacuna.ui.snapshot.place;

import dev.lacuna.core.history.LoadRange;
import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.snapshot.SnapshotPane;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.snapshot.SnapshotViewModel.State;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.SplitPane;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The header, and below it the way in, the wait, what went wrong, or the panes. */
final class SnapshotView extends VBox {
    private static final Texts TEXTS = Texts.of("snapshot");

    /** The timeline's share of the height, and the map's of the width. */
    private static final double TIMELINE_SHARE = 0.46;

    private static final double MAP_SHARE = 0.52;

    /** What any machine opens of a file that is too large for it. */
    private static final int BEGINNING_EVENTS = 1_000_000;

    private final SnapshotViewModel model;

    SnapshotView(SnapshotViewModel model, SnapshotPanes panes, RecordingActions actions, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("place", "snapshot");
        StackPane body = new StackPane(
                during(State.EMPTY, new SnapshotWelcome(model, choose)),
                during(State.READING, reading()),
                during(State.FAILED, failed(choose)),
                during(State.SHOWN, panes(panes)));
        VBox.setVgrow(body, Priority.ALWAYS);
        getChildren().addAll(new SnapshotHeader(model, panes.actions(), actions, choose), body);
    }

    private Node during(State state, Node node) {
        node.visibleProperty().bind(model.stateProperty().isEqualTo(state));
        node.managedProperty().bind(node.visibleProperty());
        return node;
    }

    private static Node panes(SnapshotPanes panes) {
        SplitPane below = new SplitPane(panes.map().root());
        if (!panes.tabs().isEmpty()) {
            below.getItems().add(tabs(panes.tabs()));
        }
        below.setDividerPositions(MAP_SHARE);
        SplitPane all = new SplitPane(panes.timeline().root(), below);
        all.setOrientation(Orientation.VERTICAL);
        all.setDividerPositions(TIMELINE_SHARE);
        all.getStyleClass().add("snapshot-panes");
        return all;
    }

    private static Node tabs(List<SnapshotPane> panes) {
        TabPane tabs = new TabPane();
        tabs.setId("snapshot-tabs");
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        for (SnapshotPane pane : panes) {
            Tab tab = new Tab();
            tab.setId("snapshot-tab-" + pane.id());
            tab.textProperty().bind(pane.title());
            tab.setContent(pane.root());
            tabs.getTabs().add(tab);
        }
        return tabs;
    }

    private Node reading() {
        ProgressBar bar = new ProgressBar();
        bar.progressProperty().bind(model.progressProperty());
        bar.setPrefWidth(320);
        Button cancel = new Button(null, new FontIcon("fth-x"));
        cancel.setId("snapshot-cancel");
        cancel.textProperty().bind(TEXTS.bind("cancel"));
        cancel.setOnAction(e -> model.cancel());
        VBox card = new VBox(
                Labels.inAnyScript(Labels.of(TEXTS.bind("reading", model.sourceProperty()), "muted")), bar, cancel);
        card.setId("snapshot-reading");
        card.getStyleClass().addAll("card", "snapshot-message");
        return card;
    }

    private Node failed(Runnable choose) {
        Button other = new Button(null, new FontIcon("fth-folder"));
        other.textProperty().bind(TEXTS.bind("open"));
        other.setOnAction(e -> choose.run());
        Button back = new Button(null, new FontIcon("fth-arrow-left"));
        back.setId("snapshot-back");
        back.textProperty().bind(TEXTS.bind("back"));
        back.setOnAction(e -> model.close());
        Button beginning = new Button(null, new FontIcon("fth-crop"));
        beginning.setId("snapshot-beginning");
        beginning.textProperty().bind(TEXTS.bind("open.beginning", BEGINNING_EVENTS));
        beginning.setOnAction(e -> model.openOnly(new LoadRange.Events(0, BEGINNING_EVENTS)));
        HBox buttons = new HBox(other, beginning, back);
        buttons.getStyleClass().add("buttons");
        buttons.setMaxWidth(Region.USE_PREF_SIZE);
        Label why = Labels.inAnyScript(Labels.of(model.faultProperty()));
        why.setId("snapshot-fault");
        why.setWrapText(true);
        why.setMinHeight(Region.USE_PREF_SIZE);
        why.setMaxWidth(560);
        FontIcon sign = new FontIcon("fth-alert-triangle");
        sign.getStyleClass().add("failure-sign");
        VBox card = new VBox(
                sign,
                Labels.titled(TEXTS.bind("failed.title")),
                Labels.inAnyScript(Labels.of(model.sourceProperty(), "muted")),
                why,
                buttons);
        card.getStyleClass().addAll("card", "snapshot-message");
        return card;
    }
}
