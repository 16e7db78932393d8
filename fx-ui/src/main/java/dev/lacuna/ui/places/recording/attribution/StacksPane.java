package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.FrameTree.Direction;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.places.recording.attribution.StacksViewModel.Mode;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.WindowContext;
import java.util.List;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The tab of call stacks: who holds memory at the moment, or who holds more than before; as a table or as a flame graph. */
public final class StacksPane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("who");

    /** How the tree is drawn. */
    private enum Look {
        TABLE,
        FLAME
    }

    private final StacksViewModel model;
    private final ObjectProperty<Look> look = new SimpleObjectProperty<>(Look.TABLE);
    private final VBox root = new VBox();
    private final StringBinding title = TEXTS.bind("stacks");

    public StacksPane(RecordingViewModel snapshot, WindowContext context) {
        model = new StacksViewModel(snapshot, context.executor());
        StackTable table = new StackTable(model.treeProperty(), model::select);
        FlameChart flame = new FlameChart(model::select, model::selectedNode);
        flame.visibleProperty().bind(look.isEqualTo(Look.FLAME));
        table.visibleProperty().bind(look.isEqualTo(Look.TABLE));
        ChartMenu.install(flame, "flame-graph", table::table);
        StackPane body = new StackPane(table, flame);
        VBox.setVgrow(body, Priority.ALWAYS);
        root.setId("who-stacks-pane");
        root.getStyleClass().add("who-pane");
        root.getChildren().addAll(tools(), body);
        WhenShown.bind(root, model.shownProperty());
        model.treeProperty().addListener((property, before, now) -> {
            table.show(now);
            table.select(model.selectedNode());
            flame.show(now);
        });
        model.focus().selectionProperty().addListener((property, before, now) -> {
            table.select(model.selectedNode());
            flame.refresh();
        });
    }

    @Override
    public String id() {
        return "stacks";
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public Node root() {
        return root;
    }

    private Node tools() {
        Label what = Labels.of(
                Bindings.createStringBinding(
                        this::what,
                        model.modeProperty(),
                        model.focus().momentProperty(),
                        model.focus().rangeProperty(),
                        Texts.wordingProperty()),
                "muted",
                "small");
        what.setId("who-stacks-what");
        FlowPane tools = new FlowPane(
                Choices.of("direction.", List.of(Direction.values()), model.directionProperty()),
                Choices.of("mode.", List.of(Mode.values()), model.modeProperty()),
                Choices.of("look.", List.of(Look.values()), look),
                what);
        tools.getStyleClass().add("who-tools");
        return tools;
    }

    private String what() {
        return model.modeProperty().get() == Mode.LIVE
                ? TEXTS.get("what.live", model.focus().momentProperty().get())
                : TEXTS.get("what.change", model.from(), model.to());
    }
}
