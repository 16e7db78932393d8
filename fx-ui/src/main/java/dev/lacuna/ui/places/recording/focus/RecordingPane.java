package dev.lacuna.ui.places.recording.focus;

import javafx.beans.binding.StringBinding;
import javafx.scene.Node;

/** One way of looking at an opened recording. It follows a {@link RecordingViewModel} and a {@link RecordingFocus}. UI thread only. */
public interface RecordingPane {
    /** A stable name, such as {@code stacks}; part of the id of its tab. */
    String id();

    /** What its tab says. */
    StringBinding title();

    /** The same node on every call. */
    Node root();
}
