package dev.lacuna.ui.snapshot.place;

import dev.lacuna.ui.snapshot.SnapshotPane;
import java.util.List;
import javafx.scene.Node;

/**
 * What the Snapshot place is made of.
 *
 * @param timeline above, over the whole width
 * @param map below at the left
 * @param tabs below at the right, in this order
 * @param actions what the header holds beside its own buttons
 */
public record SnapshotPanes(SnapshotPane timeline, SnapshotPane map, List<SnapshotPane> tabs, List<Node> actions) {
    public SnapshotPanes {
        tabs = List.copyOf(tabs);
        actions = List.copyOf(actions);
    }
}
