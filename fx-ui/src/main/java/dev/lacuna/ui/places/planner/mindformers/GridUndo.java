package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.LayerGrid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;

/** The grids that there were before and after the one that is shown. */
final class GridUndo {
    /** Changes that can be taken back. */
    private static final int MOST = 200;

    private final Deque<LayerGrid> done = new ArrayDeque<>();
    private final Deque<LayerGrid> undone = new ArrayDeque<>();
    private final ReadOnlyBooleanWrapper canUndo = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper canRedo = new ReadOnlyBooleanWrapper();

    ReadOnlyBooleanProperty canUndoProperty() {
        return canUndo.getReadOnlyProperty();
    }

    ReadOnlyBooleanProperty canRedoProperty() {
        return canRedo.getReadOnlyProperty();
    }

    /** This one gave way to another by a new change: nothing can be made again. */
    void changed(LayerGrid before) {
        done.push(before);
        if (done.size() > MOST) {
            done.removeLast();
        }
        undone.clear();
        update();
    }

    /** The grid before this one; empty where there is none. */
    Optional<LayerGrid> undo(LayerGrid now) {
        return move(now, done, undone);
    }

    /** The grid after this one; empty where none was taken back. */
    Optional<LayerGrid> redo(LayerGrid now) {
        return move(now, undone, done);
    }

    void clear() {
        done.clear();
        undone.clear();
        update();
    }

    private Optional<LayerGrid> move(LayerGrid now, Deque<LayerGrid> from, Deque<LayerGrid> to) {
        if (from.isEmpty()) {
            return Optional.empty();
        }
        to.push(now);
        LayerGrid then = from.pop();
        update();
        return Optional.of(then);
    }

    private void update() {
        canUndo.set(!done.isEmpty());
        canRedo.set(!undone.isEmpty());
    }
}
