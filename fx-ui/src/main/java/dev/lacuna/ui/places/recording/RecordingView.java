package dev.lacuna.ui.places.recording;

import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel.State;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.MessageCard;
import dev.lacuna.ui.window.WelcomeCard;
import java.util.List;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.SplitPane;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The header, and below it the way in, the wait, what went wrong, or the panes. */
final class RecordingView extends VBox {
    private static final Texts TEXTS = Texts.of("snapshot");

    /** The timeline's share of the height, and the map's of the width. */
    private static final double TIMELINE_SHARE = 0.46;

    private static final double MAP_SHARE = 0.52;

    /** What any machine opens of a file that is too large for it. */
    private static final int BEGINNING_EVENTS = 1_000_000;

    private final RecordingViewModel model;

    RecordingView(RecordingViewModel model, RecordingPanes panes, RecordingActions actions, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("place", "snapshot");
        StackPane body = new StackPane(
                during(State.EMPTY, welcome(choose)),
                during(State.READING, reading()),
                during(State.FAILED, failed(choose)),
                during(State.HOLLOW, hollow(choose)),
                during(State.SHOWN, panes(panes)));
        VBox.setVgrow(body, Priority.ALWAYS);
        getChildren().addAll(new RecordingHeader(model, panes.actions(), actions, choose), body);
    }

    private Node during(State state, Node node) {
        node.visibleProperty().bind(model.stateProperty().isEqualTo(state));
        node.managedProperty().bind(node.visibleProperty());
        return node;
    }

    private static Node panes(RecordingPanes panes) {
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

    private static Node tabs(List<RecordingPane> panes) {
        TabPane tabs = new TabPane();
        tabs.setId("snapshot-tabs");
        tabs.accessibleTextProperty().bind(TEXTS.bind("title"));
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        for (RecordingPane pane : panes) {
            Tab tab = new Tab();
            tab.setId("snapshot-tab-" + pane.id());
            tab.textProperty().bind(pane.title());
            tab.setContent(pane.root());
            tabs.getTabs().add(tab);
        }
        return tabs;
    }

    private Node welcome(Runnable choose) {
        Label record = new Label(
                "torch.cuda.memory._record_memory_history()\ntorch.cuda.memory._dump_snapshot(\"run.pickle\")");
        record.getStyleClass().addAll("mono", "snapshot-code");
        WelcomeCard.Ways ways = new WelcomeCard.Ways(choose, model::openExample, model::open, model::forget);
        return new WelcomeCard("snapshot", TEXTS, "fth-layers", model.recentRecordings(), ways, record);
    }

    private Node reading() {
        Button cancel = new IconButton(TEXTS.bind("cancel"), "fth-x", model::cancel).named("snapshot-cancel");
        MessageCard card =
                MessageCard.waiting(TEXTS.bind("reading", model.sourceProperty()), model.progressProperty(), cancel);
        card.setId("snapshot-reading");
        return card;
    }

    private Node failed(Runnable choose) {
        Button beginning = new IconButton(
                        TEXTS.bind("open.beginning", BEGINNING_EVENTS),
                        "fth-crop",
                        () -> model.openOnly(new LoadRange.Events(0, BEGINNING_EVENTS)))
                .named("snapshot-beginning");
        beginning.visibleProperty().bind(model.tooLargeProperty());
        beginning.managedProperty().bind(beginning.visibleProperty());
        Label why = MessageCard.wrapped(model.faultProperty());
        why.setId("snapshot-fault");
        return new MessageCard(
                MessageCard.sign("fth-alert-triangle", "failure-sign"),
                Labels.titled(TEXTS.bind("failed.title")),
                source(),
                why,
                MessageCard.buttons(other(choose), beginning, back("snapshot-back")));
    }

    private Node hollow(Runnable choose) {
        Label what = MessageCard.wrapped(TEXTS.bind("hollow.what"));
        what.setId("snapshot-hollow");
        return new MessageCard(
                MessageCard.sign("fth-inbox", "welcome-sign"),
                Labels.titled(TEXTS.bind("hollow.title")),
                source(),
                what,
                MessageCard.buttons(other(choose), back("snapshot-hollow-back")));
    }

    private Label source() {
        return Labels.inAnyScript(Labels.of(model.sourceProperty(), "muted"));
    }

    private static Button other(Runnable choose) {
        return new IconButton(TEXTS.bind("open"), "fth-folder", choose);
    }

    private Button back(String id) {
        return new IconButton(TEXTS.bind("back"), "fth-arrow-left", model::close).named(id);
    }
}
