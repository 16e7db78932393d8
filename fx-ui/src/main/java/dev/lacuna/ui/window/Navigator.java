package dev.lacuna.ui.window;

import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/** Which place is in front; places use it to lead to one another. UI thread only. */
public final class Navigator {
    private final ReadOnlyStringWrapper current = new ReadOnlyStringWrapper("");

    /** Id of the place in front. */
    public ReadOnlyStringProperty currentProperty() {
        return current.getReadOnlyProperty();
    }

    /** Brings the place of this id to the front; one that the window does not have changes nothing. */
    public void show(String placeId) {
        current.set(placeId);
    }
}
