package dev.lacuna.ui.chart;

import java.util.OptionalLong;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * The instant at which all that shows a running process is held together; while there is none, all of it follows the newest sample. UI
 * thread only; no toolkit.
 */
public final class TimeCursor {
    private final ReadOnlyObjectWrapper<OptionalLong> held = new ReadOnlyObjectWrapper<>(OptionalLong.empty());

    /** The instant, on the machine's monotonic clock in nanoseconds; empty while everything follows. */
    public ReadOnlyObjectProperty<OptionalLong> heldProperty() {
        return held.getReadOnlyProperty();
    }

    /** Whether everything stands still. */
    public boolean isHeld() {
        return held.get().isPresent();
    }

    /** Holds everything at this instant. */
    public void hold(long timeNs) {
        held.set(OptionalLong.of(timeNs));
    }

    /** Lets everything follow the newest sample again. */
    public void release() {
        held.set(OptionalLong.empty());
    }
}
