package dev.lacuna.ui.window;

import java.util.List;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;

/** One entry of the rail and the view behind it. All methods are called on the UI thread. */
public interface Place {
    /** A stable name, such as {@code live}; remembered in the settings. */
    String id();

    /** Its name in the rail and in the header. */
    StringBinding title();

    /** Ikonli code of its icon, such as {@code fth-activity}. */
    String icon();

    /** The same node on every call; may be made on the first. */
    Node view();

    /** It came to the front. */
    default void shown() {}

    /** Another one came to the front. */
    default void hidden() {}

    /** Keys that work while it is in front, in the order of the shortcut list. */
    default List<Shortcut> shortcuts() {
        return List.of();
    }
}
