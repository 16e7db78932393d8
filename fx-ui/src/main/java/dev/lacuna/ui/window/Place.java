package dev.lacuna.ui.window;

import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.OpenFile;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.value.ObservableValue;
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

    /** Where what it shows comes from: the absolute path of a file, or other words; empty while it shows nothing, or the attached process. */
    default ObservableValue<String> source() {
        return new SimpleStringProperty("");
    }

    /** The files that are open in it, for {@link #reopen}. */
    default List<OpenFile> openFiles() {
        return OpenFile.of(id(), "", source().getValue()).stream().toList();
    }

    /** Opens what was open in it before, without coming to the front. */
    default void reopen(OpenFile file) {}

    /** The moment that it shows, to be found again; empty where it shows none. */
    default Optional<Bookmark> moment() {
        return Optional.empty();
    }

    /** Shows a moment of its own again; whether it can. */
    default boolean show(Bookmark moment) {
        return false;
    }

    /** It came to the front. */
    default void shown() {}

    /** Another one came to the front. */
    default void hidden() {}

    /** Keys that work while it is in front, in the order of the shortcut list. */
    default List<Shortcut> shortcuts() {
        return List.of();
    }
}
