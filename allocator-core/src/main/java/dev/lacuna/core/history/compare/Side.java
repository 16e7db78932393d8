package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.model.DeviceHistory;

/**
 * One side of a comparison.
 *
 * @param name what it is called, for people
 * @param history the device that it is of
 * @param moment after how many of its events, 0 … {@code history.size()}
 */
public record Side(String name, DeviceHistory history, int moment) {
    public Side {
        if (moment < 0 || moment > history.size()) {
            throw new IllegalArgumentException("moment " + moment + " of " + history.size());
        }
    }

    /** The end of a recording. */
    public static Side atEnd(String name, DeviceHistory history) {
        return new Side(name, history, history.size());
    }
}
