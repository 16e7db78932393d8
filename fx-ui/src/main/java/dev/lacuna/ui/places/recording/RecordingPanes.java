package dev.lacuna.ui.places.recording;

import dev.lacuna.ui.places.recording.focus.RecordingPane;
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
public record RecordingPanes(RecordingPane timeline, RecordingPane map, List<RecordingPane> tabs, List<Node> actions) {
    public RecordingPanes {
        tabs = List.copyOf(tabs);
        actions = List.copyOf(actions);
    }
}
