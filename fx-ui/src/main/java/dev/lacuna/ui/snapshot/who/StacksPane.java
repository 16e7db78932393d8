package dev.lacuna.ui.snapshot.who;

import dev.lacuna.core.history.who.FrameTree.Direction;
import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.shell.WindowContext;
import dev.lacuna.ui.snapshot.SnapshotPane;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.snapshot.who.StacksViewModel.Mode;
import dev.lacuna.ui.text.Texts;
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
public final class StacksPane implements SnapshotPane {
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

    public StacksPane(SnapshotViewModel snapshot, WindowContext context) {
        model = new StacksViewModel(snapshot, context.executor());
        StackTable table = new StackTable(model.treeProperty(), model::select);
        FlameChart flame = new FlameChart(model::select, model::selectedNode);
        flame.visibleProperty().bind(look.isEqualTo(Look.FLAME));
        table.visibleProperty().bind(look.isEqualTo(Look.TABLE));
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
                        Texts.languageProperty()),
                "muted",
                "small");
        what.setId("who-stacks-what");
        FlowPane tools = new FlowPane(
                new Choices("direction.", List.of(Direction.values()), model.directionProperty()),
                new Choices("mode.", List.of(Mode.values()), model.modeProperty()),
                new Choices("look.", List.of(Look.values()), look),
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
