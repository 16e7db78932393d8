package dev.lacuna.ui.places.live;

/**
 * One line of the event feed.
 *
 * @param timeNs monotonic clock; of several the newest
 * @param timeMs wall clock, milliseconds since the epoch
 * @param kind what happened
 * @param count how many times, ≥ 1
 * @param amount bytes, a step's number, or a phase's ordinal, as the kind says
 * @param pool label of the pool where one is concerned, else empty
 */
public record FeedEntry(long timeNs, long timeMs, Kind kind, long count, long amount, String pool) {
    /** What happened. */
    public enum Kind {
        /** Blocks were handed out and taken back; amount = bytes asked for, count = allocations and frees. */
        TRAFFIC(true),
        PHASE_BEGIN(true),
        PHASE_END(true),
        /** amount = the step's number. */
        STEP(true),
        GROW(false),
        RELEASE(false),
        REMAP(false),
        RETRY(false),
        OOM(false),
        OPTIMISATION_ON(false),
        OPTIMISATION_OFF(false),
        /** amount = the new cap. */
        LIMIT(false),
        /** Events were overwritten before they could be read; amount = how many. */
        LOST(false);

        private final boolean routine;

        Kind(boolean routine) {
            this.routine = routine;
        }

        /** Whether it happens in every step anyway. */
        public boolean routine() {
            return routine;
        }
    }

    /** This and the same again. */
    FeedEntry and(FeedEntry next) {
        return new FeedEntry(next.timeNs, next.timeMs, kind, count + next.count, amount + next.amount, pool);
    }
}
