package dev.lacuna.core.history.build;

/** The part of a recording to load: what happened before goes into the opening state, what comes after is left out. */
public sealed interface LoadRange {
    /** Its ends, in figures. */
    String description();

    /**
     * Events by their numbers on each device.
     *
     * @param from first event, ≥ 0
     * @param to event after the last, ≥ from
     */
    record Events(int from, int to) implements LoadRange {
        public Events {
            if (from < 0 || to < from) {
                throw new IllegalArgumentException("no range: " + from + " … " + to);
            }
        }

        @Override
        public String description() {
            return from + " … " + (to - 1);
        }
    }

    /**
     * Events by when they happened.
     *
     * @param fromNs earliest time, on the clock of the events
     * @param toNs time before which the last one happened, ≥ fromNs
     */
    record Times(long fromNs, long toNs) implements LoadRange {
        public Times {
            if (toNs < fromNs) {
                throw new IllegalArgumentException("no range: " + fromNs + " … " + toNs);
            }
        }

        @Override
        public String description() {
            return fromNs + " ns … " + toNs + " ns";
        }
    }
}
