package dev.lacuna.ui.window;

import java.util.ArrayDeque;
import java.util.Deque;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/** Which place is in front; places use it to lead to one another. UI thread only. */
public final class Navigator {
    private static final int MOST_BACK = 64;

    private final Deque<String> before = new ArrayDeque<>();
    private final Deque<String> after = new ArrayDeque<>();
    private final ReadOnlyStringWrapper current = new ReadOnlyStringWrapper("");

    /** Id of the place in front. */
    public ReadOnlyStringProperty currentProperty() {
        return current.getReadOnlyProperty();
    }

    /** Brings the place that was in front before to the front; nothing happens where there was none. */
    public void back() {
        move(before, after);
    }

    /** Undoes {@link #back}. */
    public void forward() {
        move(after, before);
    }

    private void move(Deque<String> from, Deque<String> to) {
        if (!from.isEmpty()) {
            to.push(current.get());
            current.set(from.pop());
        }
    }

    /** Brings the place of this id to the front; one that the window does not have changes nothing. */
    public void show(String placeId) {
        if (placeId.equals(current.get())) {
            return;
        }
        if (!current.get().isEmpty()) {
            before.push(current.get());
            if (before.size() > MOST_BACK) {
                before.removeLast();
            }
        }
        after.clear();
        current.set(placeId);
    }
}
