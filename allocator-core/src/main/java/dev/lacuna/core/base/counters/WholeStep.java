package dev.lacuna.core.base.counters;

import java.util.Optional;

/**
 * A step that has ended.
 *
 * @param number counted from 1
 * @param peaks the most that was reserved and allocated in it
 * @param ns how long it took
 * @param remaps chunks of 2 MiB that moved between pools in it
 */
public record WholeStep(long number, PeakGap peaks, long ns, long remaps) {

    /** The step that ended last; empty before the first. */
    public static Optional<WholeStep> last(MemoryCounters now) {
        return now.lastStepPeakReservedBytes().isEmpty()
                        || now.lastStepPeakAllocatedBytes().isEmpty()
                ? Optional.empty()
                : Optional.of(new WholeStep(
                        now.step(),
                        new PeakGap(
                                now.lastStepPeakReservedBytes().getAsLong(),
                                now.lastStepPeakAllocatedBytes().getAsLong()),
                        now.lastStepNs().orElse(0),
                        now.lastStepRemaps()));
    }
}
