package dev.lacuna.core.planning.online;

import java.util.Set;

/**
 * What came of a program under a budget.
 *
 * @param outcome whether it finished
 * @param clockNs simulated time when it finished or was given up, nanoseconds
 * @param baseNs time without recomputation, nanoseconds
 * @param recomputations calls that were made again
 * @param evictions storages evicted for want of room
 * @param evaluations scores computed to choose them
 * @param peakBytes the most memory in use
 * @param recomputed names of the operators of which calls were made again
 */
public record OnlineRun(
        Outcome outcome,
        long clockNs,
        long baseNs,
        long recomputations,
        long evictions,
        long evaluations,
        long peakBytes,
        Set<String> recomputed) {
    public OnlineRun {
        recomputed = Set.copyOf(recomputed);
    }

    /** How a run ends. */
    public enum Outcome {
        FINISHED,
        /** Not even evicting everything gave a call its room. */
        OUT_OF_MEMORY,
        /** More was recomputed than the limit allows. */
        THRASHED,
        /** Nobody waits for the rest. */
        OUT_OF_TIME
    }

    /** Time over time without recomputation; of what was done, where it was given up. */
    public double overhead() {
        return baseNs == 0 ? 1 : (double) clockNs / baseNs;
    }
}
