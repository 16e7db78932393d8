package dev.lacuna.ui.places.recording.focus;

import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleObjectProperty;

/**
 * What all panes of the Snapshot place look at: a moment, a stretch, and a thing. Every pane listens to it and sets it, so that
 * selecting anywhere highlights everywhere. It belongs to the device that is chosen; another device begins anew. UI thread only.
 */
public final class RecordingFocus {
    private final ObjectProperty<RecordingSelection> selection = new SimpleObjectProperty<>(RecordingSelection.NONE);
    private final ObjectProperty<RecordingSelection> hovered = new SimpleObjectProperty<>(RecordingSelection.NONE);
    private final ObjectProperty<EventRange> range = new SimpleObjectProperty<>(EventRange.whole(0));
    private int size;

    /** Declared after the size that bounds it. */
    private final IntegerProperty moment = new SimpleIntegerProperty(0) {
        @Override
        public void set(int wanted) {
            super.set(Math.max(0, Math.min(size, wanted)));
        }
    };

    /** The moment that is looked at, 0 to the number of events; what is set beyond either end stays at that end. */
    public IntegerProperty momentProperty() {
        return moment;
    }

    /** The stretch that is selected; the whole recording unless the operator chose one. */
    public ObjectProperty<EventRange> rangeProperty() {
        return range;
    }

    /** Whether the operator chose a stretch. */
    public boolean hasRange() {
        return !range.get().equals(EventRange.whole(size));
    }

    /** Back to the whole recording. */
    public void clearRange() {
        range.set(EventRange.whole(size));
    }

    /** What is selected. */
    public ObjectProperty<RecordingSelection> selectionProperty() {
        return selection;
    }

    /** What is under the pointer, in whichever pane. */
    public ObjectProperty<RecordingSelection> hoveredProperty() {
        return hovered;
    }

    /** Events of the device that is looked at. */
    public int size() {
        return size;
    }

    /** Looks at another device, of so many events: at its last moment, at all of it, at nothing in particular. */
    void begin(int events) {
        size = events;
        hovered.set(RecordingSelection.NONE);
        selection.set(RecordingSelection.NONE);
        range.set(EventRange.whole(events));
        moment.set(events);
    }
}
