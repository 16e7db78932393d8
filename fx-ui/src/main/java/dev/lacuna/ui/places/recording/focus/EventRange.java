package dev.lacuna.ui.places.recording.focus;

/**
 * A stretch of a device's events, as the moments at both its ends: moment k is the state after the first k events.
 *
 * @param from first moment, ≥ 0
 * @param to last moment, ≥ from
 */
public record EventRange(int from, int to) {
    public EventRange {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("no stretch of events: " + from + " to " + to);
        }
    }

    /** Everything that a device of so many events recorded. */
    public static EventRange whole(int size) {
        return new EventRange(0, size);
    }

    /** The stretch between two moments, whichever comes first. */
    public static EventRange between(int one, int other) {
        return new EventRange(Math.min(one, other), Math.max(one, other));
    }

    /** Number of events in it. */
    public int events() {
        return to - from;
    }

    /** Whether a moment lies in it, both ends included. */
    public boolean contains(int moment) {
        return moment >= from && moment <= to;
    }
}
