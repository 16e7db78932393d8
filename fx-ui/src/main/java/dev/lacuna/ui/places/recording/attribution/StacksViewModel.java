package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.FrameTree.Direction;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.attribution.StackTree;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.TaskExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;

/** The tree of call stacks at the moment, or of what a stretch changed. Shapes are made once per device and direction. */
final class StacksViewModel {
    /** What the tree adds up. */
    enum Mode {
        /** What is live at the moment. */
        LIVE,
        /** What more is live at the end of the stretch than at its beginning. */
        GROWN,
        /** What less is. */
        SHRUNK
    }

    private record Shape(DeviceHistory history, FrameTree tree) {}

    private final RecordingViewModel model;
    private final ObjectProperty<Direction> direction = new SimpleObjectProperty<>(Direction.TOP_DOWN);
    private final ObjectProperty<Mode> mode = new SimpleObjectProperty<>(Mode.LIVE);
    private final BooleanProperty shown = new SimpleBooleanProperty();
    private final ReadOnlyObjectWrapper<Optional<StackTree>> tree = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final Newest<StackTree> trees;
    private volatile List<Shape> shapes = List.of();

    StacksViewModel(RecordingViewModel model, TaskExecutor executor) {
        this.model = model;
        trees = new Newest<>(executor, t -> tree.set(Optional.of(t)), fault -> tree.set(Optional.empty()));
        model.deviceProperty().addListener((property, before, now) -> {
            trees.forget();
            shapes = List.of();
            tree.set(Optional.empty());
            ask();
        });
        focus().momentProperty().addListener((property, before, now) -> {
            if (mode.get() == Mode.LIVE || !focus().hasRange()) {
                ask();
            }
        });
        focus().rangeProperty().addListener((property, before, now) -> {
            if (mode.get() != Mode.LIVE) {
                ask();
            }
        });
        direction.addListener((property, before, now) -> ask());
        mode.addListener((property, before, now) -> ask());
        shown.addListener((property, before, now) -> ask());
    }

    /** From which end stacks are read. */
    ObjectProperty<Direction> directionProperty() {
        return direction;
    }

    /** What is added up. */
    ObjectProperty<Mode> modeProperty() {
        return mode;
    }

    /** Whether anybody looks: what nobody looks at is not worked out. */
    BooleanProperty shownProperty() {
        return shown;
    }

    /** The tree; empty while there is none yet. */
    ReadOnlyObjectProperty<Optional<StackTree>> treeProperty() {
        return tree.getReadOnlyProperty();
    }

    RecordingFocus focus() {
        return model.focus();
    }

    /** The moment at which the change begins. */
    int from() {
        return focus().rangeProperty().get().from();
    }

    /** The moment at which it ends: of a chosen stretch its end, else the moment that is looked at. */
    int to() {
        return focus().hasRange()
                ? focus().rangeProperty().get().to()
                : focus().momentProperty().get();
    }

    /** Selects the blocks of a node; of one read from the allocating line outwards, where one stack leads there. */
    void select(int node) {
        StackTree shownTree = tree.get().orElseThrow();
        int last = direction.get() == Direction.BOTTOM_UP ? onlyEnd(shownTree, node) : node;
        if (last == FrameTree.ROOT || last < 0) {
            focus().selectionProperty().set(RecordingSelection.NONE);
            return;
        }
        List<Frame> path = new ArrayList<>(shownTree.shape().path(last));
        if (direction.get() == Direction.BOTTOM_UP) {
            Collections.reverse(path);
        }
        focus().selectionProperty().set(new RecordingSelection.Stack(path));
    }

    /** The node that is selected, whoever did; −1 when none is. */
    int selectedNode() {
        Optional<StackTree> shownTree = tree.get();
        RecordingSelection selection = focus().selectionProperty().get();
        if (shownTree.isEmpty()) {
            return -1;
        }
        FrameTree shape = shownTree.get().shape();
        if (selection instanceof RecordingSelection.Stack stack) {
            List<Frame> path = new ArrayList<>(stack.path());
            if (shape.direction() == Direction.BOTTOM_UP) {
                Collections.reverse(path);
            }
            return shape.find(path);
        }
        if (selection instanceof RecordingSelection.Allocation allocation
                && allocation.id() < model.deviceProperty().get().orElseThrow().allocations()) {
            int end = shape.end(StackBytes.stackOf(model.deviceProperty().get().orElseThrow(), allocation.id()));
            return end == FrameTree.ROOT ? -1 : end;
        }
        return -1;
    }

    private static int onlyEnd(StackTree tree, int node) {
        int end = tree.lineEnd(node);
        return tree.childCount(end) == 0 ? end : -1;
    }

    private void ask() {
        Optional<DeviceHistory> device = model.deviceProperty().get();
        if (device.isEmpty() || !shown.get()) {
            return;
        }
        DeviceHistory history = device.get();
        Direction wanted = direction.get();
        Mode added = mode.get();
        int moment = focus().momentProperty().get();
        int from = Math.min(from(), history.size());
        int to = Math.min(to(), history.size());
        trees.ask(() -> {
            FrameTree shape = shape(history, wanted);
            return StackTree.of(
                    shape,
                    switch (added) {
                        case LIVE -> StackBytes.at(history, moment);
                        case GROWN -> StackBytes.between(history, from, to).grown();
                        case SHRUNK -> StackBytes.between(history, from, to).shrunk();
                    });
        });
    }

    /** Off the UI thread, one call at a time. */
    private FrameTree shape(DeviceHistory history, Direction wanted) {
        List<Shape> known = shapes;
        for (Shape shape : known) {
            if (shape.history() == history && shape.tree().direction() == wanted) {
                return shape.tree();
            }
        }
        FrameTree made = FrameTree.of(history.stacks(), wanted);
        List<Shape> more = new ArrayList<>(known);
        more.removeIf(shape -> shape.history() != history);
        more.add(new Shape(history, made));
        shapes = List.copyOf(more);
        return made;
    }
}
